import type * as t from 'io-ts';

/** A codec of a kind that guards or shapes are made of. */
export type KnownCodec =
  | t.StringType
  | t.NumberType
  | t.BooleanType
  | t.NullType
  | t.UndefinedType
  | t.UnknownType
  | t.LiteralType<string | number | boolean>
  | t.AnyArrayType
  | t.AnyDictionaryType
  | t.ArrayType<t.Mixed>
  | t.DictionaryType<t.Mixed, t.Mixed>
  | t.InterfaceType<t.Props>
  | t.PartialType<t.Props>
  | t.UnionType<t.Mixed[]>
  | t.IntersectionType<t.Mixed[]>;

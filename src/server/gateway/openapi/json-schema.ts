import { AnnotatedType } from '../contract/annotated.js';
import * as t from 'io-ts';

/** A schema of JSON Schema 2020-12, which OpenAPI 3.1 takes as it is. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The schemas of codecs that have a name of their own. */
export type Components = Map<string, JsonSchema>;

/**
 * Reads the JSON Schema of a codec. A codec whose name is one word that begins with a capital letter becomes a component, and is referred to.
 *
 * Objects are open, as a newer gateway may tell more; those of `t.strict` are closed. An integer is a number that is `multipleOf` 1. Throws a
 * `TypeError` for a codec that has no schema, such as one of functions.
 */
export const jsonSchemaOf = (codec: t.Mixed, components: Components): JsonSchema => {
  const { name } = codec;
  if (codec instanceof t.AnyArrayType) return { type: 'array', items: {} };
  if (codec instanceof t.AnyDictionaryType) return { type: 'object' };
  if (codec instanceof AnnotatedType || !isComponent.test(name)) {
    return schemaOf(codec, components);
  }
  if (!components.has(name)) {
    // A codec may lead to itself.
    components.set(name, {});
    components.set(name, schemaOf(codec, components));
  }
  return { $ref: `#/components/schemas/${name}` };
};

const isComponent = /^[A-Z]\w*$/u;

const schemaOf = (codec: t.Mixed, components: Components): JsonSchema => {
  const of = (inner: t.Mixed): JsonSchema => jsonSchemaOf(inner, components);
  if (codec instanceof AnnotatedType) return annotatedSchema(codec as AnnotatedType<unknown>, components);
  if (codec instanceof t.UnknownType) return {};
  if (codec instanceof t.StringType) return { type: 'string' };
  if (codec instanceof t.NumberType) return { type: 'number' };
  if (codec instanceof t.BooleanType) return { type: 'boolean' };
  if (codec instanceof t.NullType) return { type: 'null' };
  if (codec instanceof t.LiteralType) return { const: (codec as t.LiteralType<string>).value };
  if (codec instanceof t.KeyofType) {
    return { type: 'string', enum: Object.keys((codec as t.KeyofType<Record<string, unknown>>).keys) };
  }
  if (codec instanceof t.ReadonlyArrayType || codec instanceof t.ArrayType) {
    return { type: 'array', items: of((codec as t.ArrayType<t.Mixed>).type) };
  }
  if (codec instanceof t.DictionaryType) {
    return {
      type: 'object',
      additionalProperties: of((codec as t.DictionaryType<t.Mixed, t.Mixed>).codomain),
    };
  }
  if (codec instanceof t.UnionType) return unionOf((codec as t.UnionType<t.Mixed[]>).types.map(of));
  const members = membersOf(codec);
  if (members !== undefined) return objectSchema(members, of);
  throw new TypeError(`The codec ${codec.name} has no JSON Schema.`);
};

/** Beside a reference, keywords add to what it refers to. */
const annotatedSchema = ({ codec, keywords }: AnnotatedType<unknown>, components: Components): JsonSchema => {
  const { multipleOf, ...others } = keywords;
  const schema = jsonSchemaOf(codec, components);
  return { ...schema, ...(multipleOf === 1 && { type: 'integer' }), ...others };
};

/** Alternatives; those of words alone are one list of words, and one type or nothing is a type with `null`. */
const unionOf = (schemas: readonly JsonSchema[]): JsonSchema => {
  const words = schemas.map((schema) => schema['const']);
  if (words.every((word) => typeof word === 'string')) return { type: 'string', enum: words };
  const [first, second, ...others] = schemas;
  if (others.length === 0 && typeof first?.['type'] === 'string' && second?.['type'] === 'null') {
    const { enum: choices } = first;
    return {
      ...first,
      type: [first['type'], 'null'],
      ...(Array.isArray(choices) && { enum: [...(choices as readonly unknown[]), null] }),
    };
  }
  return { anyOf: schemas };
};

/** What an object has. */
interface Members {
  readonly required: t.Props;
  readonly optional: t.Props;
  readonly isClosed: boolean;
}

/** The members of an object, also where they come in parts; undefined for what is no object of known members. */
const membersOf = (codec: t.Mixed): Members | undefined => {
  if (codec instanceof t.InterfaceType)
    return { required: (codec as t.InterfaceType<t.Props>).props, optional: {}, isClosed: false };
  if (codec instanceof t.PartialType)
    return { required: {}, optional: (codec as t.PartialType<t.Props>).props, isClosed: false };
  if (codec instanceof t.ExactType) {
    const inner = membersOf((codec as t.ExactType<t.Mixed>).type);
    return inner && { ...inner, isClosed: true };
  }
  if (!(codec instanceof t.IntersectionType)) return undefined;
  const parts = (codec as t.IntersectionType<t.Mixed[]>).types.map(membersOf);
  return parts.every((part) => part !== undefined)
    ? {
        required: Object.assign({}, ...parts.map(({ required }) => required)) as t.Props,
        optional: Object.assign({}, ...parts.map(({ optional }) => optional)) as t.Props,
        isClosed: parts.some(({ isClosed }) => isClosed),
      }
    : undefined;
};

const objectSchema = (
  { required, optional, isClosed }: Members,
  of: (codec: t.Mixed) => JsonSchema,
): JsonSchema => {
  const names = Object.keys(required);
  const members = Object.entries({ ...required, ...optional });
  return {
    type: 'object',
    properties: Object.fromEntries(members.map(([name, codec]) => [name, of(codec)])),
    ...(names.length > 0 && { required: names }),
    ...(isClosed && { additionalProperties: false }),
  };
};

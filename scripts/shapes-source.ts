import type { KnownCodec } from './known-codec.js';
import type * as t from 'io-ts';
import { format, resolveConfig } from 'prettier';
import type { Shape } from '../src/core/protocol/json/shape-problem.js';

/** Where the shapes live. */
export const shapesFile = new URL('../src/core/protocol/generated/shapes.ts', import.meta.url);

/** What the shapes are made of: by the name of the constant, a codec, or several by a word of the wire. */
export type Definitions = Readonly<Record<string, t.Mixed | ReadonlyMap<string, t.Mixed>>>;

/** Writes the shapes of these codecs as one TypeScript module. Rejects for a kind of codec that it does not know. */
export const shapesSource = async (definitions: Definitions): Promise<string> => {
  const constants = Object.entries(definitions).map(([name, definition]) =>
    definition instanceof Map
      ? constant(name, 'Readonly<Record<string, Shape>>', shapesOf(definition))
      : constant(name, 'Shape', shapeOf(definition as t.Mixed, name)),
  );
  const options = { ...(await resolveConfig(shapesFile)), parser: 'typescript' };
  return format([header, ...constants].join('\n'), options);
};

const header = `/*
 * Made by \`npm run generate\` from the codecs that scripts/shape-definitions.ts names. Change those, not this file: a test and
 * \`npm run generate:check\` compare the two.
 */
import type { Shape } from '../json/shape-problem.js';
`;

const constant = (name: string, type: string, value: unknown): string =>
  `export const ${name}: ${type} = ${JSON.stringify(value)};\n`;

const shapesOf = (codecs: ReadonlyMap<string, t.Mixed>): Readonly<Record<string, Shape>> =>
  Object.fromEntries(Array.from(codecs, ([word, codec]) => [word, shapeOf(codec, word)]));

/** The shape that a JSON value has exactly where the codec's `is` holds; `path` names the codec. */
export const shapeOf = (codec: t.Mixed, path: string): Shape => {
  const known = codec as KnownCodec;
  switch (known._tag) {
    case 'StringType':
      return 's';
    case 'NumberType':
      return 'n';
    case 'BooleanType':
      return 'b';
    case 'NullType':
      return '0';
    case 'UndefinedType':
      return 'u';
    case 'UnknownType':
      return '*';
    case 'AnyArrayType':
      return 'l';
    case 'AnyDictionaryType':
      return 'o';
    case 'ArrayType':
      return withEach('l', known.type, path);
    case 'DictionaryType':
      if ((known.domain as KnownCodec)._tag !== 'StringType')
        throw new Error(`${path}: only strings can be keys`);
      return withEach('o', known.codomain, path);
    case 'InterfaceType':
      return withMembers(membersOf(known.props, path));
    case 'PartialType':
      return withMembers(membersOf(known.props, path).flatMap(optional));
    case 'UnionType':
      return known.types.map((type) => shapeOf(type, path)).reduce(either(path));
    case 'IntersectionType':
      return known.types.map((type) => shapeOf(type, path)).reduce(both(path));
    default:
      throw new Error(`${path}: no shape can be made of ${codec.name}, whose kind is not known here`);
  }
};

type Member = readonly [key: string, shape: Shape];

const membersOf = (props: t.Props, path: string): readonly Member[] =>
  Object.entries(props).map(([key, codec]) => [key, shapeOf(codec, `${path}.${key}`)]);

const withMembers = (members: readonly Member[]): Shape =>
  members.length === 0 ? 'o' : { is: 'o', has: Object.fromEntries(members) };

const withEach = (is: string, codec: t.Mixed, path: string): Shape => {
  const each = shapeOf(codec, `${path}[]`);
  return each === '*' ? is : { is, each };
};

/** What may be anything, or absent, is not looked at. */
const optional = ([key, shape]: Member): readonly Member[] =>
  shape === '*' ? [] : [[key, opened(shape).is.includes('u') ? shape : either(key)(shape, 'u')]];

const opened = (shape: Shape): Exclude<Shape, string> => (typeof shape === 'string' ? { is: shape } : shape);

const either =
  (path: string) =>
  (one: Shape, other: Shape): Shape => {
    if (one === '*' || other === '*') throw new Error(`${path}: a union with anything is no shape`);
    const [first, second] = [opened(one), opened(other)];
    const [inside, plain] = first.is === one ? [second, first] : [first, second];
    if (
      plain.has !== undefined ||
      plain.each !== undefined ||
      Array.from(first.is).some((kind) => second.is.includes(kind))
    ) {
      throw new Error(
        `${path}: the members of a union must differ in kind, and at most one may have members`,
      );
    }
    const is = first.is + second.is;
    return inside.has === undefined && inside.each === undefined ? is : { ...inside, is };
  };

const both =
  (path: string) =>
  (one: Shape, other: Shape): Shape => {
    const [first, second] = [opened(one), opened(other)];
    const shared = Object.keys(first.has ?? {}).filter((key) => Object.hasOwn(second.has ?? {}, key));
    if (
      first.is !== 'o' ||
      second.is !== 'o' ||
      first.each !== undefined ||
      second.each !== undefined ||
      shared.length > 0
    ) {
      throw new Error(`${path}: an intersection must be of objects that share no member`);
    }
    return withMembers(Object.entries({ ...first.has, ...second.has }));
  };

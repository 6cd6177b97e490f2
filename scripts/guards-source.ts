import type { KnownCodec } from './known-codec.js';
import type * as t from 'io-ts';
import { format, resolveConfig } from 'prettier';

/** Where the guards live. */
export const guardsFile = new URL('../src/core/protocol/generated/is-event-data.ts', import.meta.url);

/** What comes with each step of each node; a message of any other type comes a few times a job. */
export const frequentEvents: readonly string[] = ['progress', 'progress_state', 'executing', 'executed'];

/**
 * Writes the guards of these codecs, by the `type` of their message, as one TypeScript module.
 *
 * A guard says of any JSON value what `codec.is` says, without walking a tree of codecs; where it would only be asked now
 * and then, the shape of the message is walked instead. Rejects for a kind of codec that it does not know.
 */
export const guardsSource = async (
  codecs: ReadonlyMap<string, t.Mixed>,
  frequent: readonly string[] = frequentEvents,
): Promise<string> => {
  const helpers: Helpers = new Map();
  const guards = Array.from(codecs)
    .filter(([type]) => frequent.includes(type))
    .map(([type, codec]) => ({
      type,
      name: `is${pascal(type)}`,
      test: conjunction(codec, pascal(type), helpers),
    }));
  const source = [
    header,
    ...Array.from(helpers, ([test, name]) => functionOf(name, test)),
    ...guards.map(({ name, test }) => functionOf(name, test)),
    selectionComment,
    'export const isEventData = (type: string, data: unknown): boolean | undefined => {',
    'switch (type) {',
    ...guards.map(({ type, name }) => `case ${literal(type)}: return ${name}(data);`),
    'default: return isRareEventData(type, data);',
    '} };',
    rareComment,
    `const isRareEventData = (type: string, data: unknown): boolean | undefined => {
      const shape = Object.hasOwn(eventShapes, type) ? eventShapes[type] : undefined;
      return shape === undefined ? undefined : shapeProblem(shape, data) === undefined;
    };`,
  ].join('\n');
  return format(source, { ...(await resolveConfig(guardsFile)), parser: 'typescript' });
};

const header = `/*
 * Made by \`npm run generate\` from the codecs of ../event-codecs.ts. Change those, not this file: a test and
 * \`npm run generate:check\` compare the two.
 */

import { shapeProblem } from '../json/shape-problem.js';
import { eventShapes } from './shapes.js';

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
`;

const selectionComment = `/**
 * Says of a JSON value what \`is\` of this type's codec in \`eventCodecs\` says; undefined for a type without a codec.
 *
 * A \`switch\`, since a map would have to hash the \`type\` of each message.
 */`;

const rareComment = `
/** Of the messages that come a few times a job: a function for each would weigh more in a page than it saves in time. */`;

/** Functions that the guards call: names by what is tested, so that equal tests are one function. */
type Helpers = Map<string, string>;

/** The test of a codec on the variable `value`; `path` names what is tested, e.g. `ProgressStateNodes`. */
const conjunction = (codec: t.Mixed, path: string, helpers: Helpers): string =>
  [...new Set(conditions(codec, path, helpers))].filter((test) => test !== 'true').join(' && ') || 'true';

/** What must all hold of `value`. The members of an intersection share their conditions. */
const conditions = (codec: t.Mixed, path: string, helpers: Helpers): readonly string[] => {
  const known = codec as KnownCodec;
  switch (known._tag) {
    case 'StringType':
      return [`typeof value === 'string'`];
    case 'NumberType':
      return [`typeof value === 'number'`];
    case 'BooleanType':
      return [`typeof value === 'boolean'`];
    case 'NullType':
      return ['value === null'];
    case 'UnknownType':
      return ['true'];
    case 'LiteralType':
      return [`value === ${literal(known.value)}`];
    case 'AnyArrayType':
      return ['Array.isArray(value)'];
    case 'AnyDictionaryType':
      return ['isObject(value)'];
    case 'ArrayType':
      return ['Array.isArray(value)', `value.every(${nameOf(known.type, `${path}Item`, helpers)})`];
    case 'DictionaryType':
      return ['isObject(value)', ...conditionsOfValues(known, path, helpers)];
    case 'InterfaceType':
      return ['isObject(value)', ...membersOf(known.props).map(required(path, helpers))];
    case 'PartialType':
      return ['isObject(value)', ...membersOf(known.props).map(optional(path, helpers))];
    case 'UnionType':
      return [`(${known.types.map((type) => conjunction(type, path, helpers)).join(' || ')})`];
    case 'IntersectionType':
      return known.types.flatMap((type) => conditions(type, path, helpers));
    default:
      throw new Error(`${path}: no guard can be made of ${codec.name}, whose kind is not known here`);
  }
};

const conditionsOfValues = (
  { domain, codomain }: t.DictionaryType<t.Mixed, t.Mixed>,
  path: string,
  helpers: Helpers,
): readonly string[] => {
  if ((domain as KnownCodec)._tag !== 'StringType') throw new Error(`${path}: only strings can be keys`);
  if ((codomain as KnownCodec)._tag === 'UnknownType') return [];
  return [`Object.values(value).every(${nameOf(codomain, `${path}Item`, helpers)})`];
};

type Member = readonly [key: string, codec: t.Mixed];

const membersOf = (props: t.Props): readonly Member[] => Object.entries(props);

const required =
  (path: string, helpers: Helpers) =>
  ([key, codec]: Member): string => {
    const test = `${nameOf(codec, path + pascal(key), helpers)}(${member(key)})`;
    // Such a member may be undefined, but must be there.
    return codec.is(undefined)
      ? `(${member(key)} !== undefined || Object.hasOwn(value, ${literal(key)})) && ${test}`
      : test;
  };

const optional =
  (path: string, helpers: Helpers) =>
  ([key, codec]: Member): string => {
    const test = conjunction(codec, path + pascal(key), helpers);
    if (test === 'true') return test;
    return `${helper(`Optional${wordOf(codec, path + pascal(key))}`, `value === undefined || ${test}`, helpers)}(${member(key)})`;
  };

/** The function that tests a codec: an existing one where it tests the same. */
const nameOf = (codec: t.Mixed, path: string, helpers: Helpers): string =>
  helper(wordOf(codec, path), conjunction(codec, path, helpers), helpers);

const helper = (word: string, test: string, helpers: Helpers): string => {
  const name = `is${word}`;
  const existing = helpers.get(test);
  if (existing !== undefined) return existing;
  if ([...helpers.values()].includes(name)) throw new Error(`${name} would be the name of two functions`);
  helpers.set(test, name);
  return name;
};

/** What a codec accepts, as part of a name: `StringOrNull`; what has members is named by its path. */
const wordOf = (codec: t.Mixed, path: string): string => {
  const known = codec as KnownCodec;
  switch (known._tag) {
    case 'StringType':
    case 'NumberType':
    case 'BooleanType':
    case 'NullType':
    case 'UnknownType':
      return known._tag.slice(0, -'Type'.length);
    case 'ArrayType':
      return `ListOf${wordOf(known.type, `${path}Item`)}`;
    case 'UnionType':
      return known.types.map((type) => wordOf(type, path)).join('Or');
    default:
      return path;
  }
};

const functionOf = (name: string, test: string): string =>
  `const ${name} = (value: unknown): boolean => ${test};\n`;

const member = (key: string): string =>
  /^[a-z_]\w*$/i.test(key) ? `value.${key}` : `value[${literal(key)}]`;

const literal = (value: string | number | boolean): string => JSON.stringify(value);

const pascal = (name: string): string =>
  name.replace(/(?:^|[^a-z\d]+)([a-z\d]?)/gi, (_, letter: string) => letter.toUpperCase());

import { createHash } from 'node:crypto';
import { InvalidState } from './invalid-state.js';
import { PythonFloat } from '../python-float.js';

/**
 * Values of a state as JSON has them. What JSON lacks is an object whose member `$` names its kind: maps, bytes (an index of the list of
 * contents), integers beyond 2^53, floats of Python and numbers that are not finite; and objects that have such a member themselves.
 */
export interface WrittenValues {
  readonly value: unknown;
  /** Each content once, as base64. */
  readonly contents: readonly string[];
}

/** Writes a value; throws {@link InvalidState} where its contents have more than `maxBytes` as base64. */
export const writeValues = (value: unknown, maxBytes: number): WrittenValues => {
  const contents: string[] = [];
  const places = new Map<string, number>();
  let size = 0;

  const placeOf = (bytes: Uint8Array): number => {
    const digest = createHash('sha256').update(bytes).digest('base64');
    const known = places.get(digest);
    if (known !== undefined) return known;
    size += Math.ceil(bytes.length / 3) * 4;
    if (size > maxBytes) throw tooLarge(maxBytes);
    places.set(digest, contents.length);
    return contents.push(Buffer.from(bytes).toString('base64')) - 1;
  };
  const write = (given: unknown): unknown => {
    if (typeof given === 'bigint') return { $: 'integer', value: String(given) };
    if (typeof given === 'number' && !Number.isFinite(given)) return { $: 'number', value: String(given) };
    if (typeof given !== 'object' || given === null) return given;
    if (Array.isArray(given)) return given.map(write);
    if (given instanceof Uint8Array) return { $: 'bytes', at: placeOf(given) };
    if (given instanceof Map) return { $: 'map', entries: entriesOf([...(given as Map<string, unknown>)]) };
    if (given instanceof PythonFloat) return { $: 'float', value: write(given.value) };
    const members = Object.entries(given).filter(([, member]) => member !== undefined);
    return '$' in given
      ? { $: 'object', entries: entriesOf(members) }
      : Object.fromEntries(entriesOf(members));
  };
  const entriesOf = (entries: readonly (readonly [string, unknown])[]) =>
    entries.map(([name, member]) => [name, write(member)] as const);

  return { value: write(value), contents };
};

/** Reads what {@link writeValues} wrote; throws {@link InvalidState} for anything else. */
export const readValues = ({ value, contents }: WrittenValues): unknown => {
  const bytes = contents.map((content) => new Uint8Array(Buffer.from(content, 'base64')));
  const read = (given: unknown): unknown => {
    if (Array.isArray(given)) return given.map(read);
    if (typeof given !== 'object' || given === null) return given;
    if (!Object.hasOwn(given, '$')) return Object.fromEntries(entriesOf(Object.entries(given)));
    const { $: kind, value: text, at, entries } = given as Readonly<Record<string, unknown>>;
    switch (kind) {
      case 'integer':
        return integerOf(text);
      case 'number':
        return Number(text);
      case 'float':
        return new PythonFloat(Number(read(text)));
      case 'bytes':
        return bytes[Number(at)] ?? unreadable(`there is no content ${String(at)}`);
      case 'map':
        return new Map(entriesOf(entries));
      case 'object':
        return Object.fromEntries(entriesOf(entries));
      default:
        return unreadable(`a value is of an unknown kind`);
    }
  };
  const entriesOf = (entries: unknown): readonly (readonly [string, unknown])[] =>
    isEntries(entries)
      ? entries.map(([name, member]) => [name, read(member)])
      : unreadable('entries are no list');
  return read(value);
};

/** The error for a state above the bound. */
export const tooLarge = (maxBytes: number): InvalidState =>
  new InvalidState(`the state has more than ${Math.floor(maxBytes / 2 ** 20)} MiB`);

const isEntries = (entries: unknown): entries is readonly (readonly [string, unknown])[] =>
  Array.isArray(entries) &&
  entries.every((entry) => Array.isArray(entry) && entry.length === 2 && typeof entry[0] === 'string');

const integerOf = (text: unknown): bigint =>
  typeof text === 'string' && /^-?\d{1,400}$/u.test(text)
    ? BigInt(text)
    : unreadable('a value that must be an integer is not');

const unreadable = (why: string): never => {
  throw new InvalidState(`the state can't be read: ${why}`);
};

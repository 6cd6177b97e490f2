import { InvalidState } from './invalid-state.js';

/** Reads a value of a saved state, which stands at `path`; throws {@link InvalidState} where it is another one. */
export type Read<A> = (value: unknown, path: string) => A;

const oneThat =
  <A>(is: (value: unknown) => value is A, what: string): Read<A> =>
  (value, path) => {
    if (is(value)) return value;
    throw new InvalidState(`the state can't be read: ${path} is no ${what}`);
  };

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Map);

/** A text. */
export const text = oneThat((value) => typeof value === 'string', 'text');
/** A number, also one that is not finite. */
export const number = oneThat((value) => typeof value === 'number', 'number');
/** Bytes. */
export const bytes = oneThat((value) => value instanceof Uint8Array, 'bytes');
/** An object with any members. */
export const members: Read<Members> = oneThat(isMembers, 'object');
/** Any value. */
export const anything: Read<unknown> = (value) => value;

/** One of these texts. */
export const oneOf = <A extends string>(...words: readonly A[]): Read<A> =>
  oneThat((value): value is A => words.some((word) => word === value), `one of ${words.join(', ')}`);

/** A value that may be absent. */
export const optional =
  <A>(read: Read<A>): Read<A | undefined> =>
  (value, path) =>
    value === undefined ? undefined : read(value, path);

/** A value that may be null. */
export const nullable =
  <A>(read: Read<A>): Read<A | null> =>
  (value, path) =>
    value === null ? null : read(value, path);

/** A list. */
export const list =
  <A>(read: Read<A>): Read<readonly A[]> =>
  (value, path) =>
    oneThat((given): given is readonly unknown[] => Array.isArray(given), 'list')(value, path).map(
      (one, at) => read(one, `${path}[${at}]`),
    );

/** A map from texts. */
export const mapOf =
  <A>(read: Read<A>): Read<Map<string, A>> =>
  (value, path) => {
    const map = oneThat((given): given is Map<string, unknown> => given instanceof Map, 'map')(value, path);
    return new Map([...map].map(([name, one]) => [name, read(one, `${path}.${name}`)]));
  };

/** An object with these members; others are left out. */
export const object =
  <Reads extends Readonly<Record<string, Read<unknown>>>>(
    reads: Reads,
  ): Read<{ readonly [Name in keyof Reads]: ReturnType<Reads[Name]> }> =>
  (value, path) => {
    const given = members(value, path);
    return Object.fromEntries(
      Object.entries(reads).map(([name, read]) => [name, read(given[name], `${path}.${name}`)]),
    ) as { readonly [Name in keyof Reads]: ReturnType<Reads[Name]> };
  };

/**
 * The shape of a JSON value: one letter for each kind that it may be (`s` string, `n` number, `b` boolean, `l` list,
 * `o` object, `0` null, `u` absent, `*` any value that is present), and the shapes of its members: `has` by name, or `each`
 * for all of them.
 */
export type Shape =
  string | { readonly is: string; readonly has?: Readonly<Record<string, Shape>>; readonly each?: Shape };

/**
 * Describes where a JSON value differs from its shape, e.g. `nodes.3.max should be a number`; undefined if it fits.
 *
 * Of several problems it describes the most deeply nested one, of these the first.
 */
export const shapeProblem = (shape: Shape, value: unknown): string | undefined => {
  const place = placeOf(shape, value);
  return place && `${place.path.length === 0 ? 'data' : place.path.join('.')} should be ${place.words}`;
};

interface Place {
  readonly path: readonly string[];
  readonly words: string;
}

const placeOf = (shape: Shape, value: unknown): Place | undefined => {
  const is = typeof shape === 'string' ? shape : shape.is;
  if (is === '*' ? value === undefined : !is.includes(kindOf(value))) return { path: [], words: wordsOf(is) };
  if (typeof shape === 'string' || typeof value !== 'object' || value === null) return undefined;
  return deepestOf(shape, value as Readonly<Record<string, unknown>>);
};

/** Of the problems of an object's members. */
const deepestOf = (
  { has, each }: Exclude<Shape, string>,
  members: Readonly<Record<string, unknown>>,
): Place | undefined => {
  let deepest: Place | undefined;
  for (const key of Object.keys(has ?? (each === undefined ? [] : members))) {
    const place = placeOf(has?.[key] ?? each ?? '*', members[key]);
    if (place && place.path.length >= (deepest?.path.length ?? 0)) {
      deepest = { path: [key, ...place.path], words: place.words };
    }
  }
  return deepest;
};

const kindOf = (value: unknown): string =>
  value === null ? '0' : Array.isArray(value) ? 'l' : (typeof value).charAt(0);

const wordsOf = (kinds: string): string =>
  Array.from(kinds)
    .flatMap((kind) => words[kind] ?? [])
    .join(' or ');

const words: Readonly<Record<string, string>> = {
  s: 'a string',
  n: 'a number',
  b: 'true or false',
  l: 'a list',
  o: 'an object',
  '0': 'null',
  '*': 'there',
};

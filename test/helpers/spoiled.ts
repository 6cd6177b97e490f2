import fc from 'fast-check';

/** The value as it comes out of JSON. */
export const throughJson = <A>(value: A): A => JSON.parse(JSON.stringify(value)) as A;

/** Any JSON value, objects among them more often. */
export const anyJson: fc.Arbitrary<unknown> = fc.oneof(fc.jsonValue(), fc.object()).map(throughJson);

/** Good values with one place spoiled, at any depth: another value there, or nothing. */
export const spoiled = (good: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.tuple(good, fc.nat(), spoiler).map(([data, at, spoil]) => spoiledAt(data, at, spoil));

/** In place of a value: another one, or nothing at all. */
type Spoiler = { readonly value: unknown } | undefined;

const spoiler: fc.Arbitrary<Spoiler> = fc.option(
  fc.record({
    value: fc.oneof(
      fc.constantFrom<unknown>(null, true, false, 0, -0.5, 1e308, '', '1', {}, [], [null], { 0: null }),
      fc.jsonValue({ maxDepth: 2 }).map(throughJson),
    ),
  }),
  { nil: undefined, freq: 6 },
);

/** The same tree, but for the `at`-th of its values (the whole is one of them). */
const spoiledAt = (tree: unknown, at: number, spoil: Spoiler): unknown => {
  let left = at % countOf(tree);
  const visit = (value: unknown): unknown => {
    if (left-- === 0) return spoil === undefined ? undefined : spoil.value;
    if (Array.isArray(value)) return value.map(visit).filter((item) => item !== undefined);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .map(([key, member]) => [key, visit(member)] as const)
        .filter(([, member]) => member !== undefined),
    );
  };
  return visit(tree);
};

const countOf = (tree: unknown): number =>
  typeof tree === 'object' && tree !== null
    ? Object.values(tree).reduce<number>((sum, value) => sum + countOf(value), 1)
    : 1;

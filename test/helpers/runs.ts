const share = Number(process.env['PROMPTWIRE_RUNS'] ?? 0.1);

/**
 * How many runs a law gets of those that it is worth. The project `properties` plays them all, any other one a tenth, and no fewer
 * than fast-check's own 100; `PROMPTWIRE_RUNS=50 npx vitest run --project unit FILE` plays fifty times as many.
 */
export const runs = (worth: number): number => Math.max(Math.min(worth, 100), Math.ceil(worth * share));

/** Of a case that has to come more often than this in all runs: how often in fewer, with room for chance. */
export const often = (inAll: number): number => (share < 1 ? (inAll * share) / 4 : inAll);

/**
 * Of cases that each take long, in an order that mixes what they differ in: all of them in the project `properties`, elsewhere one in
 * `every`, from another first one with each turn.
 */
export const some = <A>(
  cases: readonly A[],
  { every, turn }: { every: number; turn: number },
): readonly A[] => (share < 1 ? cases.filter((_, at) => (at + turn) % every === 0) : cases);

/**
 * The share of a law's runs that a project plays: all in `properties`, a tenth in any other one; `PROMPTWIRE_RUNS=50 npx vitest run
 * --project unit FILE` plays fifty times as many. Without a project, where mutants are played, a law keeps fast-check's own 100 runs, and
 * no case is left out.
 */
const given = process.env['PROMPTWIRE_RUNS'];
const share = Number(given ?? 0.1);
const fewest = given === undefined ? 100 : 10;
const leavesOut = given !== undefined && share < 1;

/** How many runs a law gets of those that it is worth. One that names no number is worth 100 (`law-runs.ts`). */
export const runs = (worth: number): number => Math.max(Math.min(worth, fewest), Math.ceil(worth * share));

/** Of a case that has to come more often than this in all runs: how often in fewer, with room for chance. */
export const often = (inAll: number): number => (share < 1 ? (inAll * share) / 4 : inAll);

/**
 * Of cases that each take long, in an order that mixes what they differ in: all of them in the project `properties`, elsewhere one in
 * `every`, from another first one with each turn.
 */
export const some = <A>(
  cases: readonly A[],
  { every, turn }: { every: number; turn: number },
): readonly A[] => (leavesOut ? cases.filter((_, at) => (at + turn) % every === 0) : cases);

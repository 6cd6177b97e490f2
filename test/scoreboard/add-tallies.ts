import type { Seen, Tally } from './figure.js';

/** Adds tallies up; counts that begin with `longest` or `most` are maxima. */
export const addTallies = (tallies: readonly Tally[]): Tally => {
  const counts: Record<string, number> = {};
  const cells: Record<string, number> = {};
  for (const tally of tallies) {
    for (const [name, count] of Object.entries(tally.counts)) {
      const before = counts[name];
      counts[name] =
        before === undefined
          ? count
          : /^(?:longest|most)/u.test(name)
            ? Math.max(before, count)
            : before + count;
    }
    for (const [name, count] of Object.entries(tally.cells ?? {})) cells[name] = (cells[name] ?? 0) + count;
  }
  const seen = tallies.flatMap((tally) => tally.seen ?? []);
  return {
    counts,
    cells,
    problems: tallies.flatMap(({ problems }) => problems),
    ...(seen.length === 0 ? {} : { seen: addSeen(seen) }),
  };
};

/** Adds up what processes saw. */
export const addSeen = (seen: readonly Seen[]): Seen => {
  const sum = (of: (one: Seen) => number): number => seen.reduce((total, one) => total + of(one), 0);
  return {
    bytes: sum(({ bytes }) => bytes),
    things: sum(({ things }) => things),
    programs: sum(({ programs }) => programs),
    processes: sum(({ processes }) => processes),
    leaks: seen.flatMap(({ leaks }) => leaks),
    warnings: seen.flatMap(({ warnings }) => warnings),
    unhandled: seen.flatMap(({ unhandled }) => unhandled),
  };
};

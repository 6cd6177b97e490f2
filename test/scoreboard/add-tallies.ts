import type { Tally } from './figure.js';

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
  return { counts, cells, problems: tallies.flatMap(({ problems }) => problems) };
};

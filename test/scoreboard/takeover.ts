import type { Figure, Range, Tally } from './figure.js';
import { findAgain, takeOver } from './queue/take-over.js';

const rounds = 6;
const [medianMs, worstMs, findMs] = [5_000, 15_000, 240_000];

/** How soon another worker has the jobs of a dead one. */
export const takeover: Figure = {
  id: 'takeover',
  what: 'workers with default locks killed by SIGKILL while they run five jobs each, of an account and over three servers; and two with a cloud submission whose answer they could not store, by a service that returns markers and by one that drops them (real processes)',
  target: `taken over within ${medianMs / 1000} s (median) and ${worstMs / 1000} s (worst); a submission found within ${findMs / 60_000} min; 0 extra paid runs`,
  count: rounds,
  splits: false,
  mostlyWaits: true,
  run: (range) => takeJobsOver(range),
};

/** Kills so many workers, and two more in the middle of a submission where that is the whole figure. */
export const takeJobsOver = async ({ count }: Range): Promise<Tally> => {
  const [over, overServers, ...found] = await Promise.all([
    takeOver(count),
    takeOver(count, 'servers'),
    ...(count < rounds ? [] : [findAgain('listed'), findAgain('dropped')]),
  ]);
  const sorted = [...over.ms, ...overServers.ms].toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? Infinity;
  const worst = sorted.at(-1) ?? Infinity;
  const slowest = Math.max(0, ...found.flatMap(({ ms }) => ms));
  const problems = [
    ...over.problems,
    ...overServers.problems,
    ...found.flatMap((one) => one.problems),
    // A few runs beside other tests say nothing about time.
    ...(count < rounds || median <= medianMs ? [] : [`a median of ${Math.round(median)} ms`]),
    ...(count < rounds || worst <= worstMs ? [] : [`${Math.round(worst)} ms at worst`]),
    ...(slowest <= findMs ? [] : ['a submission was not found in time']),
  ];
  const counts = {
    jobs: sorted.length,
    'median ms': Math.round(median),
    'worst ms': Math.round(worst),
    'ms to find a submission': Math.round(slowest),
  };
  return { counts, problems: problems.map((problem) => `${problem}; npm run scoreboard -- takeover`) };
};

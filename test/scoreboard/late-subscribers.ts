import type { Figure } from './figure.js';
import { randomOf } from '../simulation/random.js';
import { readLate } from './queue/read-late.js';

const readers = 1_000;

/** Late subscribers. */
export const lateSubscribers: Figure = {
  id: 'late-subscribers',
  what: 'late subscribers of jobs that have ended, run or wait, from the beginning or after an event, over four connections to a real Redis server',
  target: 'each of them reads the lifecycle that an early one read: 100 %',
  count: readers,
  splits: false,
  run: async ({ from, count }) => {
    const { readers: all, ofRunning, problems } = await readLate(count, randomOf(from));
    return {
      counts: { readers: all, 'of jobs that had not ended': ofRunning, different: problems.length },
      problems: problems.map((problem) => `${problem}; npm run scoreboard -- late-subscribers`),
    };
  },
  shortfalls: ({ counts }, count) =>
    counts['readers'] === count ? [] : [`${counts['readers'] ?? 0} of ${count} readers`],
};

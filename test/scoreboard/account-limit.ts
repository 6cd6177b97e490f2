import type { Figure, Range, Tally } from './figure.js';
import { playLimit } from './queue/play-limit.js';
import { randomOf } from '../simulation/random.js';

const jobs = 10_000;
const tier = 40;
const leastBusy = 0.95;

/** The limit of the account. */
export const accountLimit: Figure = {
  id: 'account-limit',
  what: `jobs of a tier of ${tier} jobs run by eight processes, of which one is killed by SIGKILL or suspended for two locks each time that 250 jobs have ended, on a real Redis server (real processes)`,
  target: `never more than ${tier} jobs at the service, by its own ledger; slots busy for ${leastBusy * 100} % of the time while jobs wait; 0 extra paid runs, 0 lost`,
  count: jobs,
  splits: false,
  run: (range) => keepLimit(range),
};

/** Runs so many jobs; how busy the slots were counts where that is the whole figure. */
export const keepLimit = async ({ from, count }: Range): Promise<Tally> => {
  const { most, busy, problems: found, ...counts } = await playLimit(count, randomOf(from));
  const problems = [
    ...found,
    ...(most <= tier ? [] : [`${most} jobs at once`]),
    ...(count < jobs || busy >= leastBusy ? [] : [`slots busy for ${Math.round(busy * 1_000) / 10} %`]),
  ];
  return {
    counts: { jobs: count, ...counts, 'at once': most, '% busy': Math.round(busy * 1_000) / 10 },
    problems: problems.map((problem) => `${problem}; npm run scoreboard -- account-limit`),
  };
};

import { judgeMutants } from '../mutants/judge-mutants.js';
import { mutants } from '../mutants/list/index.js';
import type { Figure } from './figure.js';

const leastBySchedules = 15;

/** Bugs that other clients had, and some that our tests once overlooked, planted in this one. */
export const plantedMutants: Figure = {
  id: 'planted-mutants',
  what: 'bugs that clients really had or that tests once overlooked, planted one by one, each caught by a figure or a test',
  target: `all caught, ≥ ${leastBySchedules} of them by random-fault-schedules alone, and no alarm without them`,
  count: mutants.length,
  splits: true,
  run: async ({ from, count }) => {
    const { results, falseAlarms } = await judgeMutants(mutants.slice(from - 1, from - 1 + count), 2);
    const missed = results.filter(({ caught }) => caught === undefined);
    const bySchedules = results.filter(({ caught }) => caught?.startsWith('random-fault-schedules: '));
    return {
      counts: {
        bugs: results.length,
        caught: results.length - missed.length,
        'caught by random-fault-schedules': bySchedules.length,
      },
      problems: [
        ...missed.map(({ mutant }) => `${mutant.id} is not caught: ${mutant.story}`),
        ...falseAlarms.map((alarm) => `without any bug: ${alarm}`),
      ],
    };
  },
  shortfalls: ({ counts }, count) =>
    count === mutants.length && (counts['caught by random-fault-schedules'] ?? 0) < leastBySchedules
      ? ['random-fault-schedules catches too few']
      : [],
};

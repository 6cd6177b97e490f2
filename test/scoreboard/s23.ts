import { judgeMutants } from '../mutants/judge-mutants.js';
import { mutants } from '../mutants/list/index.js';
import type { Figure } from './figure.js';

const leastByS1 = 15;

/** S23: bugs that other clients had, and some that our tests once overlooked, planted in this one. */
export const s23: Figure = {
  id: 'S23',
  name: 'mutants',
  what: 'mutants: bugs that clients really had or that tests once overlooked, planted one by one, each caught by a figure or a test',
  target: `all caught, ≥ ${leastByS1} of them by S1 alone, and no alarm without them`,
  count: mutants.length,
  splits: true,
  run: async ({ from, count }) => {
    const { results, falseAlarms } = await judgeMutants(mutants.slice(from - 1, from - 1 + count), 2);
    const missed = results.filter(({ caught }) => caught === undefined);
    const byS1 = results.filter(({ caught }) => caught?.startsWith('S1: '));
    return {
      counts: { bugs: results.length, caught: results.length - missed.length, 'caught by S1': byS1.length },
      problems: [
        ...missed.map(({ mutant }) => `${mutant.id} is not caught: ${mutant.story}`),
        ...falseAlarms.map((alarm) => `without any bug: ${alarm}`),
      ],
    };
  },
  shortfalls: ({ counts }, count) =>
    count === mutants.length && (counts['caught by S1'] ?? 0) < leastByS1 ? ['S1 catches too few'] : [],
};

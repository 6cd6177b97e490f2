import { patches } from '../museum/patches/index.js';
import { visit } from '../museum/visit.js';
import type { Figure } from './figure.js';

const leastByS1 = 15;

/** S23: bugs that other clients had, and some that our tests once overlooked, put into this one. */
export const s23: Figure = {
  id: 'S23',
  what: 'museum: bugs that clients really had or that tests once overlooked, put in one by one, each caught by a figure or a test',
  target: `all caught, ≥ ${leastByS1} of them by S1 alone, and no alarm without them`,
  count: patches.length,
  splits: true,
  run: async ({ from, count }) => {
    const { exhibits, falseAlarms } = await visit(patches.slice(from - 1, from - 1 + count), 2);
    const missed = exhibits.filter(({ caught }) => caught === undefined);
    const byS1 = exhibits.filter(({ caught }) => caught?.startsWith('S1: '));
    return {
      counts: { bugs: exhibits.length, caught: exhibits.length - missed.length, 'caught by S1': byS1.length },
      problems: [
        ...missed.map(({ patch }) => `${patch.id} is not caught: ${patch.story}`),
        ...falseAlarms.map((alarm) => `without any bug: ${alarm}`),
      ],
    };
  },
  shortfalls: ({ counts }, count) =>
    count === patches.length && (counts['caught by S1'] ?? 0) < leastByS1 ? ['S1 catches too few'] : [],
};

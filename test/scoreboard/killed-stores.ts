import type { Figure } from './figure.js';
import { killStores } from '../gateway/node/kill-stores.js';
import { randomOf } from '../simulation/random.js';

const kills = 200;

/** Processes that are killed while they write to a folder. */
export const killedStores: Figure = {
  id: 'killed-stores',
  what: 'processes with six writers over one folder killed by SIGKILL, one after the other, also while LevelDB makes tables of its log (real processes)',
  target: 'everything that was confirmed is there: 0 jobs, 0 events lost, 0 damage told',
  count: kills,
  splits: false,
  run: async ({ from, count }) => {
    const { confirmed, problems, kills: killed } = await killStores(count, randomOf(from, 3));
    return { counts: { kills: killed, confirmed }, problems };
  },
  shortfalls: ({ counts }, count) => [
    ...(counts['kills'] === count ? [] : [`${counts['kills'] ?? 0} of ${count} kills`]),
    ...((counts['confirmed'] ?? 0) < 10 * count ? [`only ${counts['confirmed'] ?? 0} confirmed`] : []),
  ],
};

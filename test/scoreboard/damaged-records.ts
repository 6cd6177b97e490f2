import { damageInRedis } from '../queue/store/damage-in-redis.js';
import type { Figure } from './figure.js';
import { findProgram } from '../helpers/find-program.js';
import { randomOf } from '../simulation/random.js';
import { startRedis } from '../helpers/redis-server.js';

const cases = 10_000;

/** Keys and values of a gateway's records in Redis that somebody damaged. */
export const damagedRecords: Figure = {
  id: 'damaged-records',
  what: 'one to four keys, fields, members or entries of what a gateway keeps in Redis removed, cut off, changed, swapped, moved or of another type, and a gateway started over it, on a real Redis server',
  target: 'every start succeeds; 0 jobs lost whose own record is whole, with their keys and events',
  count: cases,
  splits: true,
  run: async ({ from, count }) => {
    await using server = await startRedis(findProgram('redis-server') ?? 'redis-server', {
      appendonly: 'no',
    });
    const {
      cases: played,
      whole,
      problems,
    } = await damageInRedis(server, { from, count }, (seed) => randomOf(seed, 9));
    return {
      counts: { starts: played, 'whole jobs': whole },
      problems: problems.map((problem) => `${problem}; npm run scoreboard -- damaged-records`),
    };
  },
  shortfalls: ({ counts }, count) => [
    ...(counts['starts'] === count ? [] : [`${counts['starts'] ?? 0} of ${count} starts`]),
    ...((counts['whole jobs'] ?? 0) > count ? [] : [`only ${counts['whole jobs'] ?? 0} whole jobs`]),
  ],
};

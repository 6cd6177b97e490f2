import { describeRedis } from '../queue/describe-redis.js';
import { expect, it } from 'vitest';
import { playHostileRecords } from './gateway/play-hostile-records.js';

const seeds = (process.env['HOSTILE_SEEDS'] ?? '1').split(',').map(Number);
const jobs = Number(process.env['HOSTILE_JOBS'] ?? '12');

describeRedis(
  (server) => {
    it.each(seeds)(
      'T9 hostile records of a queue and its gateway cost their own jobs alone, also over a restart (seed %i)',
      { timeout: 180_000 },
      async (seed) => {
        const { problems, spoiled, open } = await playHostileRecords(server(), { seed, jobs });
        if (process.env['HOSTILE_SEEDS']) console.log(open);
        expect(problems).toEqual([]);
        expect(spoiled).toBe(2 * jobs);
      },
    );
  },
  { isDurable: true },
);

import { expect, it } from 'vitest';
import { figures } from './board.js';
import { reportRange } from './report-range.js';
import { describeWith, findProgram } from '../helpers/describe-with.js';

/** A smaller count of each figure that needs Redis; the whole is `npm run scoreboard -- queue`, and of a pool's `-- pool`. */
const counts: Readonly<Record<string, number>> = {
  'damaged-records': 60,
  'killed-queue-processes': 3,
  'killed-queue-of-old-engine': 4,
  'account-limit': 600,
  takeover: 1,
  'ended-queue-workers': 3,
  'late-subscribers': 60,
  'store-away': 3,
  'fair-turns': 2,
  'queue-throughput': 1,
  'pool-processes': 1,
};

describeWith('Redis', findProgram('redis-server'), () => {
  it.each(figures.filter(({ id }) => id in counts).map((figure) => [figure.id, figure] as const))(
    '%s holds at a smaller count',
    async (id, figure) => {
      const { problems, seen } = await reportRange(figure, { from: 1, count: counts[id]! });
      expect(problems).toEqual([]);
      expect(seen).toMatchObject({ leaks: [], warnings: [], unhandled: [] });
    },
  );
});

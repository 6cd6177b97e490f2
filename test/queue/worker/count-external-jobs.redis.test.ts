import { expect, it, onTestFinished } from 'vitest';
import { countExternalJobs } from '../../../src/server/queue/worker/count-external-jobs.js';
import { firstValueFrom, interval, lastValueFrom, map, max, takeUntil } from 'rxjs';
import { openQueue } from '../../../src/server/queue/jobs/open-queue.js';
import { toPromise } from '../../../src/core/interop/to-promise.js';
import { describeRedis } from '../describe-redis.js';
import { setUp } from '../set-up.js';
import { slow } from '../../helpers/emulated.js';

const isOver = (state: string): boolean => !['pending', 'in_progress'].includes(state);

describeRedis(
  (server) => {
    it('runs as many fewer jobs as other programs run on the account, and all slots once those are over', async () => {
      const { emulator, newClient, queue, common, work } = await setUp(server(), {
        speed: 5,
        concurrency: 'unlimited',
      });
      await queue.setTier(3);
      const other = newClient();
      const foreign = [
        await toPromise(other.submit(slow(90_000))),
        await toPromise(other.submit(slow(90_001))),
      ];
      const opened = await openQueue(common);
      const counting = countExternalJobs(opened, newClient(), 20);
      onTestFinished(async () => {
        counting.unsubscribe();
        await opened.close();
      });
      await expect.poll(async () => (await queue.stats()).external).toBe(2);

      const ids = [await queue.add(slow(10)), await queue.add(slow(11)), await queue.add(slow(12))];
      await work({ tier: undefined, lockMs: 1_000 });
      const most = firstValueFrom(
        interval(5).pipe(
          map(() => emulator.ledger.jobs.slice(foreign.length).filter(({ state }) => !isOver(state)).length),
          takeUntil(lastValueFrom(queue.follow(ids[1] ?? ''))),
          max(),
        ),
      );
      for (const id of ids.slice(0, 2)) await lastValueFrom(queue.follow(id));
      expect(await most).toBe(1);
      for (const { promptId } of foreign) await toPromise(other.cancel(promptId));
      await expect.poll(async () => (await queue.stats()).external).toBe(0);
      expect((await lastValueFrom(queue.follow(ids[2] ?? ''))).phase).toBe('completed');
      expect(await queue.stats()).toMatchObject({ slots: 3, external: 0, foreign: 0 });
    });
  },
  { isDurable: true },
);

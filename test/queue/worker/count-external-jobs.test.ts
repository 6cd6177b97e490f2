import * as TE from 'fp-ts/lib/TaskEither.js';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { countExternalJobs } from '../../../src/server/queue/worker/count-external-jobs.js';
import { realClock } from '../../../src/core/platform/clock.js';
import { serviceError } from '../../../src/core/errors/service-error.js';
import type { ServiceError } from 'promptwire';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Counts by looks that show these running jobs, of which the queue knows its own from a look on. */
const counted = async (
  looks: readonly (readonly string[] | ServiceError)[],
  known: (id: string, look: number) => boolean,
  /** The count at which the store is away. */
  failsAt = -1,
) => {
  const counts: number[] = [];
  const limits: number[] = [];
  let look = -1;
  let external = 0;
  const queue = (options: object) => {
    // The workflows of other programs are of no use.
    expect(options).toEqual({ timeoutMs: 10_000, workflow: false });
    look += 1;
    const shown = looks[look] ?? [];
    return '_tag' in shown
      ? TE.left(shown)
      : TE.right({ running: shown.map((promptId) => ({ promptId })), pending: [{ promptId: 'waits' }] });
  };
  const queueStore = {
    externalOf: (ids: readonly string[]) => Promise.resolve(ids.filter((id) => !known(id, look))),
    setExternal: (jobs: number, keptMs: number) => {
      expect(keptMs).toBe(30_000);
      counts.push((external = jobs));
      return counts.length - 1 === failsAt ? Promise.reject(new Error('away')) : Promise.resolve();
    },
    stats: () => Promise.resolve({ slots: 3, external }),
  };
  const slotTokens = { setLimit: (slots: number) => Promise.resolve(void limits.push(slots)) };
  const counting = countExternalJobs(
    { queueStore, slotTokens, clock: realClock } as never,
    { rest: { queue } } as never,
  );
  for (let nth = 1; nth < looks.length; nth += 1) await vi.advanceTimersByTimeAsync(5_000);
  counting.unsubscribe();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(look).toBe(looks.length - 1);
  return { counts, limits };
};

it('lowers the slots by the jobs that run without a record in two looks in a row, down to none', async () => {
  const all = ['a', 'b', 'c', 'd'];
  const seen = await counted([['a'], ['a', 'b'], all, all, []], () => false);
  expect(seen).toEqual({ counts: [1, 2, 4, 0], limits: [2, 1, 0, 3] });
});

it('takes no slot for a job of the queue, also where its answer is stored after a look', async () => {
  const looks = [
    ['own', 'new'],
    ['own', 'new'],
    ['own', 'new', 'newer'],
    ['own', 'new', 'newer'],
  ];
  const seen = await counted(looks, (id, look) => id === 'own' || look > (id === 'new' ? 0 : 2));
  expect(seen.counts).toEqual([0, 0, 0]);
});

it('keeps the count while the service does not answer', async () => {
  const away = serviceError('Network', { message: 'away', sent: true, code: 'ECONNRESET' });
  const seen = await counted([['a'], ['a'], away, away, ['a']], () => false);
  expect(seen.counts).toEqual([1, 1]);
});

it('counts on where the store was away', async () => {
  const seen = await counted([['a'], ['a'], ['a'], []], () => false, 0);
  expect(seen).toEqual({ counts: [1, 1, 0], limits: [2, 3] });
});

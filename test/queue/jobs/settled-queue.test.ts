import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { realClock } from '../../../src/core/platform/clock.js';
import { settledQueue } from '../../../src/server/queue/jobs/settled-queue.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it.each(['waiting', 'delayed', 'held'])(
  'waits for jobs that are %s, and asks every 250 ms',
  async (phase) => {
    let left = 2;
    let asked = 0;
    const stats = () => {
      asked += 1;
      return Promise.resolve({ waiting: 0, delayed: 0, held: 0, [phase]: left } as never);
    };
    let isSettled = false;
    const settled = settledQueue({ stats }, realClock).then(() => (isSettled = true));
    await vi.advanceTimersByTimeAsync(249);
    expect(asked).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect([asked, isSettled]).toEqual([2, false]);
    left = 0;
    await vi.advanceTimersByTimeAsync(250);
    await settled;
    await vi.advanceTimersByTimeAsync(10_000);
    expect([asked, isSettled, vi.getTimerCount()]).toEqual([3, true, 0]);
  },
);

it('rejects where the store does', async () => {
  const away = new Error('away');
  await expect(settledQueue({ stats: () => Promise.reject(away) }, realClock)).rejects.toBe(away);
});

it('waits for all of them together', async () => {
  const counts = [
    { waiting: 1, delayed: 1, held: 0 },
    { waiting: 1, delayed: 0, held: 1 },
    { waiting: 0, delayed: 0, held: 0 },
  ];
  let asked = 0;
  const settled = settledQueue({ stats: () => Promise.resolve(counts[asked++] as never) }, realClock);
  await vi.advanceTimersByTimeAsync(10_000);
  await settled;
  expect(asked).toBe(3);
});

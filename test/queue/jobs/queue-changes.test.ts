import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { changesOf } from '../../../src/server/queue/jobs/queue-changes.js';
import type { QueueRecord } from '../../../src/server/queue/store/job-store.js';
import { realClock } from '../../../src/core/platform/clock.js';
import { Subject } from 'rxjs';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A queue in memory, whose notifications the test sends, and what its changes tell. */
const world = () => {
  const jobs = new Map<string, QueueRecord>();
  const notifications = {
    changed: new Subject<string>(),
    progress: new Subject<{ readonly id: string; readonly text: string }>(),
    missed: new Subject<void>(),
  };
  const calls: string[] = [];
  let isAway = false;
  const answer = <A>(call: string, value: () => A): Promise<A> => {
    calls.push(call);
    return isAway ? Promise.reject(new Error('away')) : Promise.resolve(value());
  };
  const changes = changesOf({
    store: { get: (id) => answer(`get ${id}`, () => jobs.get(id)) },
    queueStore: {
      page: (limit, before) =>
        answer(`page after ${before ?? 'none'}`, () => {
          const all = [...jobs.values()].toReversed();
          const from = before === undefined ? 0 : all.findIndex(({ id }) => id === before) + 1;
          const records = all.slice(from, from + limit);
          const next = records.length < limit ? undefined : records.at(-1)?.id;
          return { records, ...(next !== undefined && { next }) };
        }),
      stats: () =>
        answer('stats', () => ({
          ...{ waiting: jobs.size, delayed: 0, held: 0, unknown: 0, ended: 0 },
          ...{ slots: 1, external: 0, damaged: 0, draining: false },
        })),
    },
    notifications,
    clock: realClock,
  });
  const seen: string[] = [];
  const follow = async () => {
    const following = changes.subscribe((change) => {
      if (change.type === 'stats') seen.push(`${change.stats.waiting} wait`);
      else seen.push(change.type === 'job' ? `${change.job.id} ${change.job.phase}` : `${change.id} gone`);
    });
    await soon();
    return following;
  };
  const put = (id: string, phase: QueueRecord['phase'] = 'waiting'): void => {
    jobs.set(id, { id, tenant: '', priority: 0, phase, createdAt: 0 });
  };
  return { jobs, notifications, calls, seen, follow, put, setAway: (away: boolean) => (isAway = away) };
};
const soon = () => vi.advanceTimersByTimeAsync(0);

it('M10: gives all jobs page by page, and of many hints one read of each job', async () => {
  const { notifications, calls, seen, follow, put } = world();
  for (let nth = 0; nth < 201; nth += 1) put(`j${nth}`);
  const following = await follow();
  expect(calls).toEqual(['page after none', 'page after j1', 'stats']);
  expect(seen).toHaveLength(202);
  expect(seen.at(-1)).toBe('201 wait');
  put('j0', 'held');
  for (let nth = 0; nth < 50; nth += 1) notifications.changed.next('j0');
  await soon();
  expect(seen.slice(202)).toEqual(['j0 running']);
  expect(calls.filter((call) => call === 'get j0').length).toBeLessThanOrEqual(2);
  following.unsubscribe();
  expect(vi.getTimerCount()).toBe(0);
  expect(
    [notifications.changed, notifications.progress, notifications.missed].some(({ observed }) => observed),
  ).toBe(false);
});

it('M10: reads later what can’t be read now, and tells what happened meanwhile once', async () => {
  const { jobs, notifications, seen, put, follow, setAway } = world();
  put('a');
  put('b');
  const following = await follow();
  expect(seen.splice(0)).toEqual(['b waiting', 'a waiting', '2 wait']);
  setAway(true);
  put('a', 'held');
  jobs.delete('b');
  notifications.changed.next('a');
  await soon();
  expect(seen).toEqual([]);
  setAway(false);
  notifications.missed.next();
  await soon();
  expect(seen.splice(0)).toEqual(['a running', 'b gone']);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(seen).toEqual(['1 wait']);
  following.unsubscribe();
});

it('M10: tells that jobs are gone where the server was emptied, which sends no news', async () => {
  const { jobs, seen, put, follow } = world();
  put('a');
  const following = await follow();
  jobs.clear();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(seen).toEqual(['a waiting', '1 wait', '0 wait', 'a gone']);
  following.unsubscribe();
});

it('M10: reads a job whose progress has changed', async () => {
  const { notifications, seen, put, follow, calls } = world();
  put('a', 'held');
  const following = await follow();
  seen.splice(0);
  put('a', 'ended');
  notifications.progress.next({ id: 'a', text: '{}' });
  await soon();
  expect([calls.filter((call) => call === 'get a'), seen]).toEqual([['get a'], ['a failed']]);
  following.unsubscribe();
});

it('M10: tells how full the queue is at most once a second, and nothing twice', async () => {
  const { notifications, calls, seen, put, follow } = world();
  put('a');
  const following = await follow();
  seen.splice(0);
  for (const id of ['b', 'c', 'd']) {
    put(id);
    notifications.changed.next(id);
    await soon();
  }
  expect([seen, calls.filter((call) => call === 'stats').length]).toEqual([
    ['b waiting', 'c waiting', 'd waiting'],
    1,
  ]);
  await vi.advanceTimersByTimeAsync(999);
  expect(seen.slice(3)).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(seen.slice(3)).toEqual(['4 wait']);
  for (const id of ['a', 'unheard of']) notifications.changed.next(id);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(calls.filter((call) => call === 'get a')).toHaveLength(1);
  expect(seen.slice(4)).toEqual([]);
  following.unsubscribe();
});

it('M10: lists all jobs again where news may have been missed, and once a read has failed after ten seconds', async () => {
  const { notifications, calls, put, follow, setAway } = world();
  put('a');
  const following = await follow();
  const listed = () => calls.filter((call) => call === 'page after none').length;
  notifications.missed.next();
  await soon();
  expect(listed()).toBe(2);
  setAway(true);
  notifications.changed.next('a');
  await soon();
  setAway(false);
  await vi.advanceTimersByTimeAsync(8_000);
  expect(listed()).toBe(2);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(listed()).toBe(3);
  following.unsubscribe();
});

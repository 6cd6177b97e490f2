import { expect, it } from 'vitest';
import type { LoggedEvent } from '../../../src/server/joblog/event-log.js';
import { recentEvents } from '../../../src/server/gateway/store/recent-events.js';

const scope = { owner: 'alice' };
/** Events of `from` to `to` in the log `e`. */
const events = (from: number, to: number, jobId = 'x'): readonly LoggedEvent[] =>
  Array.from({ length: to - from + 1 }, (_, at) => ({
    ...{ id: `e-${from + at}`, jobId, event: { type: 'cancelRequested', at: from + at } },
  }));
const numbersIn = (page: ReturnType<ReturnType<typeof recentEvents>['read']>) =>
  page?.events.map(({ id }) => Number(id.slice(2)));

it('has what was appended after a position, in pages, and nothing of what it has not seen', () => {
  const recent = recentEvents();
  expect(recent.read(scope, 'e-0', 9)).toBeUndefined();
  recent.appended('alice', { epoch: 'e', last: 6 }, events(5, 6));
  // From the beginning of the log it may lack some.
  expect([recent.read(scope, undefined, 9), recent.read(scope, 'e-3', 9)]).toEqual([undefined, undefined]);
  expect(recent.read(scope, 'e-4', 9)).toEqual({ events: events(5, 6), gap: false });
  expect(recent.read(scope, 'e-4', 1)).toEqual({ events: events(5, 5), gap: false });
  expect(numbersIn(recent.read(scope, 'e-5', 9))).toEqual([6]);
  expect(recent.read(scope, 'e-6', 9)).toEqual({ events: [], gap: false });
  for (const other of ['e-7', 'f-5', 'nonsense', ''])
    expect([other, recent.read(scope, other, 9)]).toEqual([other, undefined]);
  expect(recent.read({ owner: 'bob' }, 'e-4', 9)).toBeUndefined();
});

it('has those of one job, and asks the log where there are none, as the job may be forgotten', () => {
  const recent = recentEvents();
  recent.appended('alice', { epoch: 'e', last: 2 }, events(1, 2));
  recent.appended('alice', { epoch: 'e', last: 4 }, events(3, 4, 'y'));
  expect(numbersIn(recent.read({ ...scope, jobId: 'y' }, 'e-0', 9))).toEqual([3, 4]);
  expect(numbersIn(recent.read({ ...scope, jobId: 'y' }, 'e-0', 1))).toEqual([3]);
  expect(numbersIn(recent.read({ ...scope, jobId: 'x' }, 'e-1', 9))).toEqual([2]);
  expect(recent.read({ ...scope, jobId: 'x' }, 'e-2', 9)).toBeUndefined();
});

it('begins anew where it has missed some, or where the log is another one', () => {
  const recent = recentEvents();
  recent.appended('alice', { epoch: 'e', last: 2 }, events(1, 2));
  recent.appended('alice', { epoch: 'e', last: 5 }, events(4, 5));
  expect([recent.read(scope, 'e-2', 9), numbersIn(recent.read(scope, 'e-3', 9))]).toEqual([
    undefined,
    [4, 5],
  ]);
  recent.appended('alice', { epoch: 'f', last: 6 }, [{ ...events(6, 6)[0]!, id: 'f-6' }]);
  expect(recent.read(scope, 'e-4', 9)).toBeUndefined();
  expect(recent.read(scope, 'f-5', 9)?.events).toHaveLength(1);
});

it('forgets what it has of an owner whose log lost some', () => {
  const recent = recentEvents();
  recent.appended('alice', { epoch: 'e', last: 1 }, events(1, 1));
  recent.appended('bob', { epoch: 'e', last: 1 }, events(1, 1));
  recent.drop('alice');
  expect(recent.read(scope, 'e-0', 9)).toBeUndefined();
  expect(numbersIn(recent.read({ owner: 'bob' }, 'e-0', 9))).toEqual([1]);
});

it('has the last 500 events of an owner', () => {
  const recent = recentEvents();
  recent.appended('alice', { epoch: 'e', last: 500 }, events(1, 500));
  expect(recent.read(scope, 'e-0', 999)?.events).toHaveLength(500);
  recent.appended('alice', { epoch: 'e', last: 501 }, events(501, 501));
  expect([recent.read(scope, 'e-0', 9), recent.read(scope, 'e-1', 999)?.events.length]).toEqual([
    undefined,
    500,
  ]);
});

it('has the 20 owners that appended last', () => {
  const recent = recentEvents();
  const append = (owner: string, last: number) =>
    recent.appended(owner, { epoch: 'e', last }, events(last, last));
  const has = (owner: string) => recent.read({ owner }, 'e-0', 9) !== undefined;
  for (let at = 1; at <= 20; at += 1) append(`o${at}`, 1);
  expect(has('o1')).toBe(true);
  append('o1', 2);
  append('o21', 1);
  expect(['o1', 'o2', 'o3', 'o21'].map(has)).toEqual([true, false, true, true]);
});

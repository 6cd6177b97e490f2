import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventsOf, type LogSource, statesOf } from '../../../src/server/queue/follow/follow-log.js';
import { initialJobState } from '../../../src/core/state/initial-job-state.js';
import type { JobPhase } from 'promptwire';
import { firstValueFrom, NEVER, type Observable, Subject } from 'rxjs';
import type { LifecycleEvent } from '../../../src/core/events/job-log-event.js';
import { progressOf, statusOf } from '../../../src/core/events/state-members.js';
import { realClock } from '../../../src/core/platform/clock.js';
import { runs } from '../../helpers/runs.js';
import { writeExactJson } from '../../../src/core/protocol/json/exact-json.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const status = (phase: JobPhase, at = 0): LifecycleEvent => {
  const state = initialJobState({ workflow: {}, promptId: 'p', phase });
  return { type: 'status', at, status: statusOf(state), progress: progressOf(state) };
};
const wish = (at: number): LifecycleEvent => ({ type: 'cancelRequested', at });

/** A log that is a list, and notifications that the test sends. */
const source = (events: readonly LifecycleEvent[] = [], latest?: number) => {
  const list = [...events];
  const notifications = { appended: new Subject<string>(), missed: new Subject<void>() };
  const progress = new Subject<{ readonly id: string; readonly text: string }>();
  const reads: (readonly [string | undefined, number])[] = [];
  let answer = (): Promise<void> => Promise.resolve();
  const from: LogSource = {
    kind: 'account',
    store: { get: (id) => Promise.resolve(id === 'x' ? ({ tenant: 't' } as never) : undefined) },
    queueStore: {
      latestProgress: () =>
        Promise.resolve(latest === undefined ? undefined : { nodes: {}, progress: latest }),
    },
    log: {
      read: async ({ owner, jobId }, after, limit) => {
        expect([owner, jobId]).toEqual(['t', 'x']);
        reads.push([after, limit]);
        const begin = after === undefined ? 0 : Number(after.slice(1)) + 1;
        if (begin > list.length) return { events: [], gap: true };
        const page = list.slice(begin, begin + limit);
        await answer();
        return { events: page.map((event, at) => ({ id: `e${begin + at}`, jobId: 'x', event })), gap: false };
      },
    },
    clock: realClock,
    notifications: { ...notifications, progress, changed: NEVER, cancelled: NEVER, resumed: NEVER },
  };
  return {
    ...{ from, list, notifications, progress, reads },
    tellProgress: (value: number, id = 'x') =>
      progress.next({ id, text: writeExactJson({ nodes: {}, progress: value }) }),
    /** Has each read take its answer from here. */
    answerBy: (by: () => Promise<void>) => (answer = by),
  };
};

/** What an observable of a log gave so far. */
const watched = <A>(of: Observable<A>) => {
  const values: A[] = [];
  const seen = { values, end: '' };
  const subscription = of.subscribe({
    next: (value) => values.push(value),
    error: (error: unknown) => (seen.end = (error as { readonly _tag: string })._tag),
    complete: () => (seen.end = 'complete'),
  });
  return Object.assign(seen, { stop: () => subscription.unsubscribe() });
};
const soon = () => vi.advanceTimersByTimeAsync(1);

describe('the events of a job', () => {
  it('are those that are there, then each new one, and end with the job', async () => {
    const { from, list, notifications } = source([status('pending', 1)]);
    const seen = watched(eventsOf(from, 'x'));
    await soon();
    list.push(wish(2));
    notifications.appended.next('another');
    await soon();
    expect(seen.values.map(({ id }) => id)).toEqual(['e0']);
    notifications.appended.next('x');
    await soon();
    list.push(status('completed', 3));
    notifications.missed.next();
    await soon();
    expect(seen.values.map(({ id, event }) => [id, event.at])).toEqual([
      ['e0', 1],
      ['e1', 2],
      ['e2', 3],
    ]);
    expect(seen.values.map(({ state }) => state.phase)).toEqual(['pending', 'pending', 'completed']);
    expect(seen.end).toBe('complete');
    expect([notifications.appended.observed, notifications.missed.observed]).toEqual([false, false]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('are read every ten seconds, since news may be lost', async () => {
    const { from, list, reads } = source([status('pending', 1)]);
    const seen = watched(eventsOf(from, 'x'));
    await soon();
    list.push(status('completed', 2));
    await vi.advanceTimersByTimeAsync(9_990);
    expect([seen.values.length, reads.length]).toEqual([1, 1]);
    await vi.advanceTimersByTimeAsync(10);
    expect([seen.values.length, seen.end]).toEqual([2, 'complete']);
  });

  it('Q11 end with NotFound where the log is gone, as on a server that was emptied', async () => {
    const { from } = source([status('pending', 1)]);
    const { read } = from.log;
    let isGone = false;
    const log = { read: async (...args: Parameters<typeof read>) => (isGone ? gap : read(...args)) };
    const gap = { events: [], gap: true };
    const [events, states] = [
      watched(eventsOf({ ...from, log }, 'x')),
      watched(statesOf({ ...from, log }, 'x')),
    ];
    await soon();
    isGone = true;
    await vi.advanceTimersByTimeAsync(10_000);
    expect([events.values.length, events.end, states.end]).toEqual([1, 'NotFound', 'NotFound']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('are read once more, not twice, for several news during a read', async () => {
    const { from, notifications, reads, answerBy } = source([status('pending', 1)]);
    const answers: (() => void)[] = [];
    answerBy(() => new Promise((resolve) => answers.push(resolve)));
    const seen = watched(eventsOf(from, 'x'));
    await soon();
    for (let nth = 0; nth < 3; nth += 1) notifications.appended.next('x');
    expect(reads).toHaveLength(1);
    answers.shift()?.();
    await soon();
    expect(reads).toHaveLength(2);
    answers.shift()?.();
    await soon();
    expect(reads).toHaveLength(2);
    seen.stop();
  });

  it('are read in pages, to the last one', async () => {
    const all = Array.from({ length: 1_000 }, (_, at) => wish(at));
    const { from, reads, list, notifications } = source(all);
    const seen = watched(eventsOf(from, 'x'));
    await soon();
    expect(seen.values).toHaveLength(1_000);
    expect(reads).toEqual([
      [undefined, 1_000],
      ['e999', 1_000],
    ]);
    list.push(status('failed', 1_000));
    notifications.appended.next('x');
    await soon();
    expect(reads.at(-1)).toEqual(['e999', 1_000]);
    expect([seen.values.length, seen.end]).toEqual([1_001, 'complete']);
  });

  it('go on past an end that a person has taken back: only the newest event ends them', async () => {
    const { from, list, notifications } = source([status('unknown', 1), status('pending', 2)]);
    const seen = watched(eventsOf(from, 'x'));
    await soon();
    expect([seen.values.length, seen.end]).toEqual([2, '']);
    list.push(status('completed', 3));
    notifications.appended.next('x');
    await soon();
    expect(seen.end).toBe('complete');
  });

  it('are none after the last one, and none of a job or an event that is unheard of', async () => {
    const { from } = source([status('pending'), status('completed')]);
    const [late, unheard, other] = [
      watched(eventsOf(from, 'x', 'e1')),
      watched(eventsOf(from, 'x', 'e7')),
      watched(eventsOf(from, 'y')),
    ];
    await soon();
    expect([late.values, late.end]).toEqual([[], 'complete']);
    expect([unheard.values, unheard.end]).toEqual([[], 'NotFound']);
    expect(other.end).toBe('NotFound');
  });

  it('end with the job where its record alone says so, and name a job that is not there', async () => {
    const { from } = source([status('pending', 1)]);
    const ended = { get: () => Promise.resolve({ tenant: 't', phase: 'ended' } as never) };
    const seen = watched(eventsOf({ ...from, store: ended }, 'x'));
    await soon();
    expect(seen.values.map(({ state, event }) => [state.phase, event.at])).toEqual([
      ['pending', 1],
      ['failed', 0],
    ]);
    expect(seen.end).toBe('complete');
    await expect(firstValueFrom(eventsOf(from, 'y'))).rejects.toThrow('The queue has no job y.');
  });

  it('error where the log can’t be read', async () => {
    const { from, answerBy } = source([status('pending')]);
    answerBy(() => Promise.reject(Object.assign(new Error('away'), { _tag: 'away' })));
    const seen = watched(eventsOf(from, 'x'));
    await soon();
    expect(seen.end).toBe('away');
  });

  it('law: after any position each later event comes once and in order, whatever news are lost', async () => {
    const step = fc.record({
      appends: fc.integer({ min: 0, max: 3 }),
      notifications: fc.constantFrom('appended', 'missed', 'lost', 'twice'),
      waitMs: fc.constantFrom(0, 5_000, 10_000),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 6 }),
        fc.nat({ max: 6 }),
        fc.array(step, { maxLength: 12 }),
        async (before, position, steps) => {
          const { from, list, notifications } = source(Array.from({ length: before }, (_, at) => wish(at)));
          const isFirst = position >= before;
          const seen = watched(eventsOf(from, 'x', isFirst ? undefined : `e${position}`));
          await soon();
          for (const one of steps) {
            for (let nth = 0; nth < one.appends; nth += 1) list.push(wish(list.length));
            if (one.notifications === 'appended' || one.notifications === 'twice')
              notifications.appended.next('x');
            if (one.notifications === 'missed' || one.notifications === 'twice') notifications.missed.next();
            await vi.advanceTimersByTimeAsync(one.waitMs);
          }
          list.push(status('completed', list.length));
          await vi.advanceTimersByTimeAsync(10_000);
          const first = isFirst ? 0 : position + 1;
          const expected = Array.from({ length: list.length - first }, (_, nth) => `e${first + nth}`);
          expect(seen.values.map(({ id }) => id)).toEqual(expected);
          expect(seen.end).toBe('complete');
          expect(vi.getTimerCount()).toBe(0);
        },
      ),
      { numRuns: runs(300) },
    );
  });
});

describe('the states of a job', () => {
  it('begin with the latest progress, and move with what is told of it', async () => {
    const { from, list, notifications, tellProgress } = source([status('in_progress')], 0.5);
    const seen = watched(statesOf(from, 'x'));
    tellProgress(0.1);
    await soon();
    tellProgress(0.7, 'another');
    tellProgress(0.8);
    expect(seen.values.map(({ phase, progress }) => [phase, progress])).toEqual([
      ['in_progress', 0.5],
      ['in_progress', 0.8],
    ]);
    list.push(status('completed'));
    notifications.appended.next('x');
    await soon();
    tellProgress(0.9);
    expect(seen.values.at(-1)).toMatchObject({ phase: 'completed', progress: 1 });
    expect([seen.values.length, seen.end]).toEqual([3, 'complete']);
  });

  it('are the last one alone where nothing follows, whatever progress is kept', async () => {
    const { from } = source([status('in_progress'), status('completed')], 0.5);
    const [all, last] = [watched(statesOf(from, 'x')), watched(statesOf(from, 'x', 'e1'))];
    await soon();
    expect(all.values.map(({ phase }) => phase)).toEqual(['in_progress', 'completed']);
    expect(all.values.at(-1)?.progress).toBe(1);
    expect(last.values).toMatchObject([{ phase: 'completed', progress: 1 }]);
    expect([all.end, last.end]).toEqual(['complete', 'complete']);
  });

  it('go on after an event from what the events before it have said', async () => {
    const output: LifecycleEvent = {
      ...{ type: 'output', at: 0, nodeId: '1', outputs: { text: ['a'] }, added: [] },
    };
    const { from } = source([status('in_progress'), output, wish(1)]);
    const seen = watched(statesOf(from, 'x', 'e1'));
    await soon();
    expect(seen.values).toMatchObject([{ phase: 'in_progress', outputs: { 1: { text: ['a'] } } }]);
    seen.stop();
  });
});

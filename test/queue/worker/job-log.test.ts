import { describe, expect, it } from 'vitest';
import { initialJobState } from '../../../src/core/state/initial-job-state.js';
import type { JobPhase, JobState } from 'promptwire';
import type { LifecycleEvent } from '../../../src/core/events/job-log-event.js';
import type { KeptEvents } from '../../../src/server/queue/store/redis-queue-store.js';
import { openJobLog } from '../../../src/server/queue/worker/job-log.js';
import { readJobLog } from '../../../src/server/queue/follow/read-job-log.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';
import { progressOf, statusOf } from '../../../src/core/events/state-members.js';

const state = (phase: JobPhase, more: Partial<JobState> = {}): JobState => ({
  ...initialJobState({ workflow: {}, promptId: 'p', phase }),
  ...more,
});
const status = (phase: JobPhase): LifecycleEvent => ({
  ...{ type: 'status', at: 0, status: statusOf(state(phase)), progress: progressOf(state(phase)) },
});
const wish: LifecycleEvent = { type: 'cancelRequested', at: 0 };
const outputs = { 1: { images: [{ filename: 'a.png', subfolder: '', type: 'output' }] } } as never;

/** A store that is a list. */
const storeOf = (events: readonly LifecycleEvent[] = []) => {
  const list = [...events];
  const progress: number[] = [];
  const reads: unknown[] = [];
  const finals: boolean[] = [];
  const clock = virtualClock();
  let isHeld = true;
  let hasRoom = true;
  const log = {
    read: (scope: unknown, after: string | undefined, limit: number) => {
      reads.push([scope, after, limit]);
      const begin = after === undefined ? 0 : Number(after) + 1;
      const page = list.slice(begin, begin + limit);
      return Promise.resolve({
        events: page.map((event, at) => ({ id: String(begin + at), jobId: 'x', event })),
        gap: false,
      });
    },
  };
  const store = {
    append: (_: unknown, tenant: string, added: readonly LifecycleEvent[], final: boolean) => {
      expect(tenant).toBe('t');
      const kept = added.filter((event) => hasRoom || event.type !== 'output');
      if (isHeld) list.push(...kept);
      finals.push(final);
      return Promise.resolve<KeptEvents>(!isHeld ? 'none' : kept.length === added.length ? 'all' : 'some');
    },
    images: () => ({ put: () => Promise.resolve(true), get: () => Promise.resolve(undefined) }),
    progress: (_: unknown, one: { readonly progress: number }) => {
      progress.push(one.progress);
      return Promise.resolve();
    },
  };
  const open = () =>
    openJobLog({
      ...{ job: { id: 'x', fence: 1 }, tenant: 't', log, store },
      clock: { ...clock, wall: () => 7 },
    });
  return {
    ...{ list, log, progress, reads, finals, open },
    wait: clock.advance,
    pending: clock.pending,
    lose: () => (isHeld = false),
    fill: () => (hasRoom = false),
  };
};
const told = (list: readonly LifecycleEvent[]) =>
  list.map((event) => (event.type === 'status' ? event.status.phase : event.type));

describe('the log of a job', () => {
  it('leads to the state of its events, page by page, and to none where there is no event', async () => {
    const { log, reads } = storeOf([status('pending'), ...Array.from({ length: 999 }, () => wish)]);
    expect((await readJobLog(log, 't', 'x'))?.phase).toBe('pending');
    expect(reads).toEqual([
      [{ owner: 't', jobId: 'x' }, undefined, 1_000],
      [{ owner: 't', jobId: 'x' }, '999', 1_000],
    ]);
    expect(await readJobLog(storeOf().log, 't', 'x')).toBeUndefined();
  });

  it('gets what is new in each state: nothing twice, and nothing where nothing is', async () => {
    const { list, finals, open } = storeOf();
    const own = await open();
    expect(own.state().phase).toBe('submitting');
    for (const phase of ['pending', 'pending', 'in_progress', 'completed'] as const)
      expect(await own.move(state(phase))).toBe(true);
    expect(told(list)).toEqual(['pending', 'in_progress', 'completed']);
    expect(list[0]?.at).toBe(7);
    expect(finals).toEqual([false, false, true]);
    expect(own.state().phase).toBe('completed');
  });

  it('gets no event again from the worker that takes the job over, and nothing that goes back', async () => {
    const { list, open } = storeOf();
    const first = await open();
    await first.move(state('in_progress', { outputs }));
    expect(told(list)).toEqual(
      ['output', 'status'].map((type) => (type === 'status' ? 'in_progress' : type)),
    );
    const second = await open();
    expect(second.state()).toMatchObject({ phase: 'in_progress', outputs });
    // A client that has just begun to follow knows less.
    await second.move(state('pending'));
    await second.move(state('in_progress'));
    expect(list).toHaveLength(2);
    await second.move(state('completed'));
    expect(told(list)).toEqual(['output', 'in_progress', 'completed']);
  });

  it('begins anew with a job that was unknown, since a person has decided on it', async () => {
    const { list, open } = storeOf([status('unknown')]);
    const own = await open();
    expect(own.state().phase).toBe('submitting');
    await own.move(state('pending'));
    await own.move(state('completed'));
    expect(told(list)).toEqual(['unknown', 'pending', 'completed']);
  });

  it('keeps the progress apart, at most every 250 ms', async () => {
    const { list, progress, open, wait } = storeOf();
    const own = await open();
    await own.move(state('in_progress', { progress: 0.1 }));
    await wait(249);
    await own.move(state('in_progress', { progress: 0.2 }));
    expect(progress).toEqual([0.1]);
    await own.move(state('in_progress', { progress: 0.3 }));
    await wait(1);
    expect(progress).toEqual([0.1, 0.3]);
    await wait(249);
    await own.move(state('in_progress', { progress: 0.4 }));
    expect(progress).toEqual([0.1, 0.3]);
    expect(told(list)).toEqual(['in_progress']);
  });

  it('Q1 publishes the last progress of a window once the window is over, also where no state follows', async () => {
    const { progress, open, wait, pending } = storeOf();
    const own = await open();
    for (const value of [0.1, 0.2, 0.3]) await own.move(state('in_progress', { progress: value }));
    expect(progress).toEqual([0.1]);
    await wait(250);
    expect(progress).toEqual([0.1, 0.3]);
    await wait(250);
    expect([progress, pending()]).toEqual([[0.1, 0.3], 0]);
  });

  it('Q1 publishes no progress that waits once the log is closed, or has the end of the job', async () => {
    for (const end of ['close', 'completed'] as const) {
      const { progress, open, wait, pending } = storeOf();
      const own = await open();
      for (const value of [0.1, 0.2]) await own.move(state('in_progress', { progress: value }));
      if (end === 'close') own.close();
      else await own.move(state(end));
      expect(pending()).toBe(0);
      await wait(250);
      expect(progress).toEqual([0.1]);
    }
  });

  it('N6 says in the state of the job that outputs found no room, from then on and after another worker took it over', async () => {
    const { list, open, fill } = storeOf();
    const own = await open();
    fill();
    expect(await own.move(state('in_progress', { outputs }))).toBe(true);
    const told: readonly unknown[] = [expect.stringContaining('maxLogBytes')];
    expect(own.state().warnings).toEqual(told);
    await own.move(state('in_progress', { outputs, progress: 0.5 }));
    const other = await open();
    await other.move(state('completed', { outputs, warnings: ['another one'] }));
    expect(list.map((one) => one.type)).toEqual(['status', 'status']);
    expect(list.at(-1)).toMatchObject({ status: { phase: 'completed', warnings: [...told, 'another one'] } });
  });

  it('says so where another worker has the job', async () => {
    const { open, lose, progress } = storeOf();
    const own = await open();
    lose();
    expect(await own.move(state('in_progress', { progress: 0.5 }))).toBe(false);
    expect(progress).toEqual([]);
  });
});

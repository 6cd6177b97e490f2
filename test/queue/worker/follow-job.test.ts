import { expect, it } from 'vitest';
import { followJob } from '../../../src/server/queue/worker/follow-job.js';
import { initialJobState } from '../../../src/core/state/initial-job-state.js';
import type { JobPhase, JobState } from 'promptwire';
import { Subject } from 'rxjs';

const state = (phase: JobPhase, progress = 0): JobState => ({
  ...initialJobState({ workflow: {}, promptId: 'p', phase }),
  progress,
});
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Follows states whose writes the test ends. */
const following = () => {
  const states = new Subject<JobState>();
  const stop = new AbortController();
  const written: string[] = [];
  const writes: { readonly end: (isKept: boolean) => void; readonly fail: (error: unknown) => void }[] = [];
  const move = ({ phase, progress }: JobState): Promise<boolean> => {
    written.push(`${phase} ${progress}`);
    return new Promise((end, fail) => writes.push({ end, fail }));
  };
  const log = { state: () => state('pending'), move };
  return { states, stop, written, writes, start: () => followJob(states, log, stop.signal) };
};

it('writes each state once the one before is durable, and ends after the last one is', async () => {
  const { states, written, writes, start } = following();
  const end = start();
  states.next(state('pending'));
  states.next(state('in_progress', 0.1));
  expect(written).toEqual(['pending 0']);
  writes.shift()?.end(true);
  await turn();
  writes.shift()?.end(true);
  await turn();
  states.next(state('completed', 1));
  expect(written).toEqual(['pending 0', 'in_progress 0.1', 'completed 1']);
  states.complete();
  let isOver = false;
  void end.then(() => (isOver = true));
  await turn();
  expect(isOver).toBe(false);
  writes.shift()?.end(true);
  expect(await end).toBe('ended');
});

it('writes the newest state alone of those that come while the store is away', async () => {
  const { states, written, writes, start } = following();
  const end = start();
  states.next(state('pending'));
  for (let nth = 1; nth < 5; nth += 1) states.next(state('in_progress', nth / 10));
  states.next(state('failed'));
  writes.shift()?.end(true);
  await turn();
  expect(written).toEqual(['pending 0', 'failed 0']);
  writes.shift()?.end(true);
  expect(await end).toBe('ended');
  expect(states.observed).toBe(false);
});

it('ends where another worker has the job, and writes nothing more', async () => {
  const { states, written, writes, start } = following();
  const end = start();
  states.next(state('pending'));
  states.next(state('completed'));
  writes.shift()?.end(false);
  expect(await end).toBe('lost');
  expect(states.observed).toBe(false);
  expect(written).toEqual(['pending 0']);
});

it('stops with its signal, also one that has fired before', async () => {
  const one = following();
  const end = one.start();
  one.stop.abort();
  expect(await end).toBe('stopped');
  expect(one.states.observed).toBe(false);
  const other = following();
  other.stop.abort();
  expect(await other.start()).toBe('stopped');
  expect(other.states.observed).toBe(false);
});

it('rejects where the states or the store fail, with what they failed by', async () => {
  const one = following();
  const cause = new TypeError('a bug');
  const failing = one.start();
  one.states.error(cause);
  await expect(failing).rejects.toBe(cause);
  const other = following();
  const rejecting = other.start();
  other.states.next(state('pending'));
  other.writes.shift()?.fail('no error');
  await expect(rejecting).rejects.toEqual(new Error('no error'));
  expect(other.states.observed).toBe(false);
});

import { expect, it } from 'vitest';
import { from, lastValueFrom, toArray } from 'rxjs';
import { initialJobState } from '../../../src/core/state/initial-job-state.js';
import type { JobPhase } from 'promptwire';
import type { LifecycleEvent } from '../../../src/core/events/job-log-event.js';
import { logReader } from '../../../src/server/queue/follow/log-reader.js';
import { memoryEventLog } from '../../../src/server/gateway/store/memory-event-log.js';
import { progressOf, statusOf } from '../../../src/core/events/state-members.js';
import { readJobLog } from '../../../src/server/queue/follow/read-job-log.js';

const status = (phase: JobPhase, at = 0): LifecycleEvent => {
  const state = initialJobState({ workflow: {}, promptId: 'p', phase });
  return { type: 'status', at, status: statusOf(state), progress: progressOf(state) };
};
const wish: LifecycleEvent = { type: 'cancelRequested', at: 1 };
const allOf = <A>(values: AsyncIterable<A>): Promise<readonly A[]> =>
  lastValueFrom(from(values).pipe(toArray()));
const scope = { tenant: 't', id: 'x' };

const aLog = async (...events: readonly LifecycleEvent[]) => {
  const log = memoryEventLog();
  const ids = await log.append('t', 'x', events);
  return { log, ids };
};

it.each(['', '~s'])('gives a follower what its log has after a position with %j behind it', async (mark) => {
  const { log, ids } = await aLog(status('pending'), wish, status('in_progress'));
  const read = logReader({ log }, scope, `${ids[0]}${mark}`);
  const told = async () => (await allOf(read())).map(({ id, isNew, isLast }) => [id, isNew, isLast]);
  // What is older leads to the state, and is not told.
  expect(await told()).toEqual([
    [ids[1], true, false],
    [ids[2], true, false],
  ]);
  expect(await told()).toEqual([]);
  const [last] = await log.append('t', 'x', [status('completed')]);
  expect(await told()).toEqual([[last, true, true]]);
});

it('gives a follower that has the last event that one alone, as none that is new', async () => {
  const { log, ids } = await aLog(status('pending'), status('completed'));
  const events = await allOf(logReader({ log }, scope, ids[1])());
  expect(events.map(({ id, isNew, isLast }) => [id, isNew, isLast])).toEqual([[ids[1], false, true]]);
});

it('ends a job where its log does not say so: with the end that its record has', async () => {
  const { log, ids } = await aLog(status('pending'), status('in_progress'));
  const read = logReader({ log, kind: 'account' }, scope, undefined, { phase: 'cancelled', at: 7 });
  const events = await allOf(read());
  expect(events.map(({ id, isLast }) => [id, isLast])).toEqual([
    [ids[0], false],
    [ids[1], false],
    [ids[1], true],
  ]);
  expect(events[2]).toMatchObject({
    event: { type: 'status', at: 7 },
    state: { phase: 'cancelled' },
    isNew: true,
  });
  expect(events[2]?.event).toMatchObject({ status: { phase: 'cancelled' } });
});

it('ends no job twice', async () => {
  const { log } = await aLog(status('completed'));
  const read = logReader({ log }, scope, undefined, { phase: 'failed', at: 7 });
  const events = await allOf(read());
  expect(events.map(({ state, isLast }) => [state.phase, isLast])).toEqual([['completed', true]]);
});

it('ends a job whose log is empty', async () => {
  const { log } = await aLog();
  const read = logReader(
    { log: { ...log, read: () => Promise.resolve({ events: [], gap: false }) } },
    scope,
    undefined,
    {
      ...{ phase: 'failed', at: 7 },
    },
  );
  expect(await allOf(read())).toMatchObject([{ id: '', isLast: true, state: { phase: 'failed' } }]);
});

it('says which position its log has not, and that a log is gone', async () => {
  const { log } = await aLog(status('pending'));
  await expect(allOf(logReader({ log }, scope, 'nonsense~s')())).rejects.toMatchObject({
    ...{ _tag: 'NotFound', message: 'The log of the job x has no event nonsense~s.' },
  });
  const read = logReader({ log }, scope, undefined);
  await allOf(read());
  await log.expire('t', 'x');
  await expect(allOf(read())).rejects.toMatchObject({
    ...{ _tag: 'NotFound', message: 'The log of the job x is gone.' },
  });
});

it('counts the attempts of a job over servers from 1, and those of an account’s not', async () => {
  const { log } = await aLog(status('pending'), wish);
  const attemptsOf = async (kind: 'servers' | 'account') =>
    (await allOf(logReader({ log, kind }, scope, undefined)())).map(({ state }) => state.attempt);
  expect(await attemptsOf('servers')).toEqual([1, 1]);
  expect(await attemptsOf('account')).toEqual([undefined, undefined]);
  expect(await readJobLog(log, 't', 'x', 'servers')).toMatchObject({ phase: 'pending', attempt: 1 });
  expect(await readJobLog(log, 't', 'x')).not.toHaveProperty('attempt');
  expect(await readJobLog(log, 't', 'y')).toBeUndefined();
});

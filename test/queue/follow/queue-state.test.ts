import { applyQueueEvent } from '../../../src/server/queue/follow/queue-state.js';
import { expect, it } from 'vitest';
import { initialJobState } from '../../../src/core/state/initial-job-state.js';
import type { LifecycleEvent } from '../../../src/core/events/job-log-event.js';
import { statusOf } from '../../../src/core/events/state-members.js';

const state = initialJobState({ promptId: 'p', phase: 'in_progress' });
const started: LifecycleEvent = { type: 'status', at: 1, status: statusOf(state) };
const again: LifecycleEvent = { type: 'status', at: 2, status: { ...statusOf(state), attempt: 2 } as never };
const output: LifecycleEvent = {
  ...{ type: 'output', at: 3, nodeId: '9', outputs: { text: ['a'] }, added: [] },
};

it('a job has no state before its first event, and over servers its first attempt with it', () => {
  expect(applyQueueEvent('account')(undefined, started)).toEqual(state);
  expect(applyQueueEvent(undefined)(undefined, started)).toEqual(state);
  expect(applyQueueEvent('servers')(undefined, started)).toEqual({ ...state, attempt: 1 });
  expect(applyQueueEvent('servers')(undefined, again)).toEqual({ ...state, attempt: 2 });
});

it('an event that tells no attempt leaves it as it was', () => {
  const applied = applyQueueEvent('servers');
  expect(applied({ ...state, attempt: 3 }, output)).toEqual({
    ...{ ...state, attempt: 3, outputs: { 9: { text: ['a'] } } },
  });
  expect(applied({ ...state, attempt: 3 }, started).attempt).toBe(3);
  expect(applied(state, output).attempt).toBe(1);
  expect(applyQueueEvent('account')({ ...state, attempt: 3 }, started)).not.toHaveProperty('attempt');
});

import { describe, expect, it } from 'vitest';
import { entryOf, newEntry } from '../../../src/server/gateway/registry/job-entry.js';
import { initialJobState } from '../../../src/core/state/initial-job-state.js';
import type { JobRecord } from '../../../src/server/joblog/job-index.js';
import type { JobPhase, JobState } from '../../../src/core/state/job-state.js';
import type { LoggedEvent } from '../../../src/server/joblog/event-log.js';
import { progressOf, statusOf } from '../../../src/core/events/state-members.js';
import { workflow } from '../support.js';

const record: JobRecord = {
  ...{ id: 'x', owner: 'alice', client: 'default', createdAt: 5, expiresAt: 10, workflow },
  submissionId: 's',
};
const stateOf = (phase: JobPhase, more: Partial<JobState> = {}): JobState => ({
  ...initialJobState({ workflow, promptId: 'p', phase }),
  ...more,
});
const submitted = (id: string, at: number, state = stateOf('pending')): LoggedEvent => ({
  ...{ id, jobId: 'x', event: { type: 'submitted', at, state } },
});
const status = (id: string, at: number, state: JobState): LoggedEvent => ({
  ...{ id, jobId: 'x', event: { type: 'status', at, status: statusOf(state), progress: progressOf(state) } },
});

it('a new entry has its first state, no progress and no preview', () => {
  const state = stateOf('pending');
  expect(newEntry(record, state)).toEqual({
    ...{ record, state, progressVersion: 0, publishedAt: 5, previews: new Map() },
  });
});

describe('the entry of a job from its events', () => {
  it('has the state that they lead to, the position of the last one, and the times of start and end', () => {
    const entry = entryOf(record, [
      submitted('1', 6),
      status('2', 7, stateOf('in_progress')),
      status('3', 8, stateOf('in_progress', { progress: 0.5 })),
      status('4', 9, stateOf('completed', { progress: 1 })),
      { id: '5', jobId: 'x', event: { type: 'cancelRequested', at: 12 } },
    ]);
    expect(entry).toMatchObject({ position: '5', startedAt: 7, endedAt: 9 });
    expect(entry.state).toMatchObject({ phase: 'completed', promptId: 'p' });
  });

  it('knows the service’s id that the log tells, unless the record has one', () => {
    expect(entryOf(record, [submitted('1', 6)]).record.promptId).toBe('p');
    expect(entryOf({ ...record, promptId: 'q' }, [submitted('1', 6)]).record.promptId).toBe('q');
    expect(entryOf(record, [submitted('1', 6, initialJobState({ workflow }))]).record).toBe(record);
  });

  it('knows the first request to cancel that the log tells, unless the record has one', () => {
    const wish = (id: string, at: number): LoggedEvent => ({
      ...{ id, jobId: 'x', event: { type: 'cancelRequested', at } },
    });
    const asked = (of: JobRecord) =>
      entryOf(of, [submitted('1', 6), wish('2', 7), wish('3', 8)]).record.cancelRequestedAt;
    expect([asked(record), asked({ ...record, cancelRequestedAt: 5 })]).toEqual([7, 5]);
    const unsent = entryOf(record, [submitted('1', 6, initialJobState({ workflow })), wish('2', 7)]).record;
    expect(unsent).toEqual({ ...record, cancelRequestedAt: 7 });
  });

  it('keeps the first start and end that the gateway heard of, and takes the service’s own where it tells them', () => {
    const twice = entryOf(record, [
      submitted('1', 6, stateOf('in_progress')),
      status('2', 7, stateOf('failed')),
      status('3', 8, stateOf('failed')),
    ]);
    expect(twice).toMatchObject({ startedAt: 6, endedAt: 7 });
    const own = entryOf(record, [
      submitted('1', 6, stateOf('in_progress')),
      status('2', 7, stateOf('completed', { startedAt: 1, endedAt: 2 })),
    ]);
    expect(own).toMatchObject({ startedAt: 1, endedAt: 2 });
  });

  it('has no start, no end and no position where no event tells them', () => {
    const waiting = entryOf(record, [submitted('1', 6)]);
    expect([waiting.startedAt, waiting.endedAt]).toEqual([undefined, undefined]);
    expect(entryOf(record, [])).not.toHaveProperty('position');
  });

  it('has the state that the record tells where there is no event', () => {
    const ended = { ...record, promptId: 'p', ended: { phase: 'failed', at: 7 } } as const;
    expect(entryOf(ended, []).state).toEqual(initialJobState({ workflow, promptId: 'p', phase: 'failed' }));
    expect(entryOf(record, []).state).toEqual(initialJobState({ workflow }));
  });
});

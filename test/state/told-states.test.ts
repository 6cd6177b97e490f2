import { describe, expect, it } from 'vitest';
import { initialJobState } from '../../src/core/state/initial-job-state.js';
import { type JobInput, stepJobState } from '../../src/core/state/step-job-state.js';
import { readJobDetail } from '../../src/core/endpoints/job-detail.js';
import { readQueuePlace } from '../../src/core/state/queue-place.js';
import { statusOfJob } from '../../src/core/endpoints/v2/read-job.js';

const promptId = 'p';
const fold = (...events: readonly JobInput[]) => events.reduce(stepJobState, initialJobState({ promptId }));
const waiting = (queue?: { position?: number; reason?: string }): JobInput => ({
  _tag: 'StatusRead',
  promptId,
  phase: 'pending',
  ...(queue && { queue }),
  queuedAt: 1_000,
});
const running = (activity?: unknown): JobInput => ({
  _tag: 'Event',
  type: 'progress_state',
  promptId,
  data: {
    prompt_id: promptId,
    nodes: { '1': { state: 'running', value: 0, max: 1, ...(activity !== undefined && { activity }) } },
  },
});

describe('what a state tells of a job', () => {
  it('O6: has place and reason while it waits, and the time of its submission', () => {
    const state = fold(waiting({ position: 3, reason: 'concurrency_limit' }));
    expect(state).toMatchObject({ queue: { position: 3, reason: 'concurrency_limit' }, queuedAt: 1_000 });
    expect(stepJobState(state, waiting({ position: 3, reason: 'concurrency_limit' }))).toBe(state);
    expect(stepJobState(state, waiting({ reason: 'capacity' })).queue).toEqual({ reason: 'capacity' });
    expect(stepJobState(state, waiting())).not.toHaveProperty('queue');
  });

  it('O6: forgets the place once it runs or ends', () => {
    const state = fold(waiting({ position: 1 }));
    expect(stepJobState(state, running())).not.toHaveProperty('queue');
    expect(stepJobState(state, { _tag: 'StatusRead', promptId, phase: 'cancelled' })).not.toHaveProperty(
      'queue',
    );
  });

  it('O6: has what a node does while it makes no steps, and only then', () => {
    expect(fold(running('loading')).nodes['1']?.activity).toBe('loading');
    expect(fold(running('loading'), running()).nodes['1']).not.toHaveProperty('activity');
    expect(fold(running(7)).nodes['1']).not.toHaveProperty('activity');
    const ended = fold(running('loading'), { _tag: 'StatusRead', promptId, phase: 'completed' });
    expect(ended.nodes['1']).toMatchObject({ phase: 'finished' });
    expect(ended.nodes['1']).not.toHaveProperty('activity');
  });

  it.each([
    [
      { queue_position: 2, queue_reason: 'capacity' },
      { position: 2, reason: 'capacity' },
    ],
    [{ queue_position: null, queue_reason: 'concurrency_limit' }, { reason: 'concurrency_limit' }],
    [{ queue_position: 0, queue_reason: '' }, undefined],
    [{ queue_position: 1.5 }, undefined],
    ['queue', undefined],
  ])('O6: reads of %j the place %j', (job, place) => expect(readQueuePlace(job)).toEqual(place));

  it('O6: reads place and times of the jobs API and of API v2, the place only while the job waits', () => {
    const detail = {
      status: 'pending',
      create_time: 1,
      queue_reason: 'capacity',
      execution_start_time: null,
    };
    expect(readJobDetail(detail, promptId)).toMatchObject({
      right: { queue: { reason: 'capacity' }, queuedAt: 1 },
    });
    const over = {
      status: 'completed',
      create_time: 1,
      execution_start_time: 2,
      execution_end_time: 3,
      queue_reason: 'x',
    };
    expect(readJobDetail(over, promptId)).toMatchObject({ right: { queuedAt: 1, startedAt: 2, endedAt: 3 } });
    expect(readJobDetail(over, promptId)).not.toHaveProperty('right.queue');
    expect(statusOfJob(promptId)({ id: promptId, status: 'queued', queue_position: 4 })).toMatchObject({
      queue: { position: 4 },
    });
  });
});

import { describe, expect, it } from 'vitest';
import { EMPTY, Subject, throwError } from 'rxjs';
import { isUnderWay, openJobs } from '../../../src/studio/state/jobs.js';
import type { JobState } from '../../../src/index.js';
import { TestScheduler } from 'rxjs/testing';
import { initialJobState, serviceError } from '../../../src/node.js';

const scheduler = new TestScheduler(() => undefined);
const world = { scheduler, uuid: () => 'key' };
const state = (more: Partial<JobState>): JobState => ({ ...initialJobState({ promptId: 'job' }), ...more });

describe('openJobs', () => {
  it('knows a submission from its first moment to its end, with the times of its nodes', () => {
    const states = new Subject<JobState>();
    const jobs = openJobs({ run: () => states, follow: () => EMPTY } as never, world);
    const [key] = jobs.submit([{ workflow: {}, metadata: { workflow: 'One' } }]);
    const job = () => jobs.known.value.get(key ?? '');
    expect(job()).toMatchObject({ id: undefined, state: undefined, metadata: { workflow: 'One' } });
    const node = { nodeId: '5', displayNodeId: '5', value: 0, max: 0, fraction: 0 };
    scheduler.frame = 10;
    states.next(state({ phase: 'in_progress', nodes: { 5: { ...node, phase: 'running' } } }));
    scheduler.frame = 30;
    states.next(state({ phase: 'in_progress', nodes: { 5: { ...node, phase: 'finished' } } }));
    expect(job()?.timeline?.nodes).toEqual([{ nodeId: '5', phase: 'finished', start: 10, end: 30 }]);
    states.next(state({ phase: 'completed' }));
    expect([job()?.id, job() && isUnderWay(job()!)]).toEqual(['job', false]);
  });

  it('says why a job can’t be followed, but not of what another tab has told', () => {
    const gone = serviceError('NotFound', { endpoint: 'GET /jobs/x', message: 'There is no such job.' });
    const jobs = openJobs({ follow: () => throwError(() => gone) } as never, world);
    const job = { id: 'x', createdAt: 0, metadata: {} };
    jobs.follow(job, true);
    expect(jobs.known.value.size).toBe(0);
    jobs.follow(job);
    expect(jobs.known.value.get('x')?.failure?.message).toBe('There is no such job.');
    jobs.forget('x');
    expect(jobs.known.value.size).toBe(0);
  });
});

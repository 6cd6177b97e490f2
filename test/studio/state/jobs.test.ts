import { describe, expect, it } from 'vitest';
import { EMPTY, Subject, throwError } from 'rxjs';
import { isUnderWay, openJobs } from '../../../src/page/studio/state/jobs.js';
import { openKeptTimes } from '../../../src/page/studio/state/kept-times.js';
import type { JobState } from '../../../src/index.js';
import { tookMs } from '../../../src/page/studio/state/timeline.js';
import { TestScheduler } from 'rxjs/testing';
import { initialJobState, serviceError } from '../../../src/node.js';

const scheduler = new TestScheduler(() => undefined);
const world = { scheduler, uuid: () => 'key' };
const memory = new Map<string, string>();
const times = openKeptTimes({
  getItem: (key) => memory.get(key) ?? null,
  setItem: (key, value) => void memory.set(key, value),
});
const state = (more: Partial<JobState>): JobState => ({ ...initialJobState({ promptId: 'job' }), ...more });

describe('openJobs', () => {
  it('knows a submission from its first moment to its end, with the times of its nodes', () => {
    const states = new Subject<JobState>();
    const jobs = openJobs({ run: () => states, follow: () => EMPTY } as never, world, times);
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

  it('knows of another page when nodes ran, and of what no page has seen that it is unknown', () => {
    const node = { displayNodeId: '', value: 0, max: 0, fraction: 0 };
    const states = new Subject<JobState>();
    const follow = (id: string) => {
      const jobs = openJobs({ follow: () => states } as never, world, times);
      jobs.follow({ id, createdAt: 0, metadata: {} });
      return () => jobs.known.value.get(id)?.timeline;
    };
    scheduler.frame = 100;
    const first = follow('job-2');
    const done = { ...node, nodeId: '1', phase: 'finished' as const };
    const running = { ...node, nodeId: '2', phase: 'running' as const };
    states.next(state({ promptId: 'job-2', phase: 'in_progress', nodes: { 1: done, 2: running } }));
    const seen = [
      { nodeId: '1', phase: 'finished', start: 100, end: 100, isUnseen: true },
      { nodeId: '2', phase: 'running', start: 100, end: undefined },
    ];
    expect(first()?.nodes).toEqual(seen);
    expect(seen.map((time) => tookMs(time as never))).toEqual([undefined, undefined]);

    // A page that is opened long after the end.
    scheduler.frame = 900_000;
    const second = follow('job-2');
    const nodes = { 1: done, 2: { ...running, phase: 'finished' as const } };
    states.next(state({ promptId: 'job-2', phase: 'completed', nodes }));
    expect(second()).toMatchObject({ end: 100, nodes: [seen[0], { nodeId: '2', start: 100, end: 100 }] });
  });

  it('says why a job can’t be followed, but not of what another tab has told', () => {
    const gone = serviceError('NotFound', { endpoint: 'GET /jobs/x', message: 'There is no such job.' });
    const jobs = openJobs({ follow: () => throwError(() => gone) } as never, world, times);
    const job = { id: 'x', createdAt: 0, metadata: {} };
    jobs.follow(job, true);
    expect(jobs.known.value.size).toBe(0);
    jobs.follow(job);
    expect(jobs.known.value.get('x')?.failure?.message).toBe('There is no such job.');
    jobs.forget('x');
    expect(jobs.known.value.size).toBe(0);
  });
});

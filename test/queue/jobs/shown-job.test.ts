import { expect, it } from 'vitest';
import { phaseOf, shownJob } from '../../../src/server/queue/jobs/shown-job.js';
import type { QueueRecord } from '../../../src/server/queue/store/job-store.js';

const record: QueueRecord = { id: 'x', tenant: 't', priority: 2, phase: 'waiting', createdAt: 5 };
const progress = { value: 0.5 } as never;

it('shows a job without what its workers know of it alone', () => {
  const own = { key: 'k', endedAt: 9, reason: 'It failed.', worker: 'w', promptId: 'p' };
  expect(
    shownJob({ ...record, ...own, phase: 'ended', outcome: 'failed', work: '{}', cancelRequestedAt: 7 }),
  ).toEqual({
    ...{ ...record, ...own, phase: 'failed', progress: undefined },
  });
});

it('shows the progress of a job that runs, and of no other', () => {
  expect(shownJob({ ...record, phase: 'held', progress })).toMatchObject({ phase: 'running', progress });
  expect(shownJob({ ...record, progress }).progress).toBeUndefined();
});

it('shows server and attempt over servers alone', () => {
  expect(shownJob(record)).not.toHaveProperty('server');
  expect(shownJob(record)).not.toHaveProperty('attempt');
  expect(shownJob({ ...record, server: 'attic', reruns: 1 })).toMatchObject({ server: 'attic', attempt: 2 });
});

it('names the phase of a job by how it ended', () => {
  expect([phaseOf('held'), phaseOf('ended', 'cancelled'), phaseOf('ended'), phaseOf('delayed')]).toEqual([
    ...['running', 'cancelled', 'failed', 'delayed'],
  ]);
});

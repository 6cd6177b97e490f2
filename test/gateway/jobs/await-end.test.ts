import { describe, expect, it } from 'vitest';
import { awaitEnd } from '../../../src/server/gateway/jobs/await-end.js';
import { initialJobState } from '../../../src/core/state/initial-job-state.js';
import type { JobState } from '../../../src/core/state/job-state.js';
import { newEntry } from '../../../src/server/gateway/registry/job-entry.js';
import { trackedJobs } from '../../../src/server/gateway/registry/tracked-jobs.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';

const entryOf = (id: string, phase: JobState['phase'] = 'in_progress') =>
  newEntry(
    { ...{ id, submissionId: id, owner: 'o', client: 'c' }, ...{ createdAt: 1, expiresAt: 2, workflow: {} } },
    { ...initialJobState({ workflow: {} }), phase },
  );

/** The wait for a job among others, and what it has come to. */
const waiting = (phase?: JobState['phase']) => {
  const clock = virtualClock();
  const jobs = trackedJobs();
  const [stopped, left] = [new AbortController(), new AbortController()];
  const set = (id: string, to?: JobState['phase']): void => {
    const entry = entryOf(id, to);
    jobs.set({ entry, latest: entry.state, isOwn: true });
    jobs.announce({ owner: 'o', jobId: id });
  };
  set('x', phase);
  set('other');
  const registry = { get: (id: string) => jobs.get(id)?.entry, changes: jobs.changes };
  let found: readonly string[] | undefined;
  const wait = { withinMs: 1_000, left: left.signal };
  void awaitEnd(registry, clock, stopped.signal, entryOf('x'), wait).then(
    ({ record, state }) => (found = [record.id, state.phase]),
  );
  return { clock, jobs, set, stopped, left, found: () => found };
};

describe('the wait for the end of a job', () => {
  it('is over with the job, and at once for one that is over', async () => {
    const { clock, set, found } = waiting();
    set('other', 'completed');
    set('x', 'in_progress');
    await clock.advance(999);
    expect(found()).toBeUndefined();
    set('x', 'failed');
    await clock.advance(0);
    expect(found()).toEqual(['x', 'failed']);
    expect(clock.pending()).toBe(0);

    const over = waiting('completed');
    await over.clock.advance(0);
    expect(over.found()).toEqual(['x', 'completed']);
  });

  it('is over in time with the job as it is then', async () => {
    const { clock, set, found } = waiting('pending');
    set('x', 'in_progress');
    await clock.advance(1_000);
    expect(found()).toEqual(['x', 'in_progress']);
  });

  it.each(['stopped', 'left'] as const)('is over where the gateway or the caller is: %s', async (who) => {
    const { clock, found, ...ends } = waiting();
    ends[who].abort();
    await clock.advance(0);
    expect(found()).toEqual(['x', 'in_progress']);
  });

  it('gives a job that was forgotten meanwhile as it was', async () => {
    const { clock, jobs, found } = waiting('pending');
    jobs.delete('x');
    jobs.announce({ owner: 'o', jobId: 'x' });
    await clock.advance(0);
    expect(found()).toEqual(['x', 'in_progress']);
  });
});

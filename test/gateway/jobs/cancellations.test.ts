import { describe, expect, it } from 'vitest';
import { cancellations } from '../../../src/server/gateway/jobs/cancellations.js';
import * as E from '../../../src/core/protocol/either.js';
import { initialJobState } from '../../../src/core/state/initial-job-state.js';
import type { JobRecord } from '../../../src/server/joblog/job-index.js';
import type { JobState } from '../../../src/core/state/job-state.js';
import { newEntry } from '../../../src/server/gateway/registry/job-entry.js';
import { serviceError } from '../../../src/core/errors/service-error.js';
import { trackedJobs } from '../../../src/server/gateway/registry/tracked-jobs.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';

/** Cancellations at a service, or at a queue, whose answers are one of these; the moments of its requests are kept. */
const played = ({
  isQueue = false,
  submissionIds = 'none',
}: { readonly isQueue?: boolean; readonly submissionIds?: 'none' | 'jobs' } = {}) => {
  const clock = virtualClock();
  const jobs = trackedJobs();
  const asked: (readonly [string, number])[] = [];
  const service = { refuses: false, follows: true };
  const cancel = (id: string) => () => {
    asked.push([id, clock.now()]);
    const refused = serviceError('Network', { code: 'ECONNRESET', sent: false });
    return Promise.resolve(service.refuses ? E.left(refused) : E.right(undefined));
  };
  const set = (more: Partial<JobRecord> = {}, phase: JobState['phase'] = 'in_progress'): void => {
    const entry = newEntry(
      {
        ...{ id: 'x', submissionId: isQueue ? 'x' : 's', owner: 'o', client: 'c' },
        ...{ createdAt: 1, expiresAt: 2, workflow: {}, ...more },
      },
      { ...initialJobState({ workflow: {} }), phase },
    );
    jobs.set({ entry, latest: entry.state, isOwn: true });
    jobs.announce({ owner: 'o', jobId: 'x' });
  };
  const registry = {
    get: (id: string) => jobs.get(id)?.entry,
    latest: (id: string) => jobs.get(id)?.latest,
    changes: jobs.changes,
  };
  const { ask, stop } = cancellations({
    ...{ clock, registry, following: { follows: () => service.follows } },
    upstreams: { c: { submissionIds, cancel, ...(isQueue && { log: {} }) } as never },
  });
  const times = (): readonly number[] => asked.map(([, at]) => at);
  return { clock, jobs, asked, times, service, set, ask, stop };
};

describe('the cancellation of a job that this process follows', () => {
  it('is asked for at once, and again until the job is over', async () => {
    const { clock, asked, times, set, ask } = played();
    set({ promptId: 'p' });
    expect(await ask('x')).toEqual(E.right(undefined));
    await clock.advance(16_000);
    expect(asked.map(([id]) => id)).toEqual(['p', 'p', 'p']);
    expect(times()).toEqual([0, 5_000, 15_000]);
    set({ promptId: 'p' }, 'cancelled');
    expect(clock.pending()).toBe(0);
    await clock.advance(300_000);
    expect(times()).toHaveLength(3);
  });

  it('is asked for again by one turn of questions, also where it is asked for twice', async () => {
    const { clock, times, set, ask } = played();
    set({ promptId: 'p' });
    await ask('x');
    await clock.advance(1_000);
    await ask('x');
    await clock.advance(5_000);
    expect(times()).toEqual([0, 1_000, 6_000]);
  });

  it('that another process was asked for is asked for by this one, a few seconds later', async () => {
    const { clock, times, set } = played();
    set({ promptId: 'p' });
    await clock.advance(60_000);
    expect(times()).toEqual([]);
    set({ promptId: 'p', cancelRequestedAt: 5 });
    set({ promptId: 'p', cancelRequestedAt: 5 });
    await clock.advance(5_000);
    expect(times()).toEqual([65_000]);
    // News of the job begin no further turn of questions.
    set({ promptId: 'p', cancelRequestedAt: 5 });
    await clock.advance(9_999);
    expect(times()).toHaveLength(1);
  });

  it('waits for the id that the service gives, unless the submission’s is the job’s own', async () => {
    const open = played();
    open.set();
    expect(await open.ask('x')).toBeUndefined();
    open.set({ promptId: 'late' });
    await open.clock.advance(5_000);
    expect(open.asked).toEqual([['late', 5_000]]);

    const own = played({ submissionIds: 'jobs' });
    own.set();
    await own.ask('x');
    own.set({ promptId: 'p' });
    await own.ask('x');
    expect(own.asked.map(([id]) => id)).toEqual(['s', 'p']);
  });

  it('is left to the process that follows it', async () => {
    const { clock, times, service, set, ask } = played();
    service.follows = false;
    set({ promptId: 'p', cancelRequestedAt: 5 });
    await clock.advance(60_000);
    expect(times()).toEqual([]);
    await ask('x');
    await clock.advance(300_000);
    // One question after that of the caller shows that nothing follows the job here.
    expect(times()).toEqual([60_000, 65_000]);
    // Once this process follows the job, it asks on.
    service.follows = true;
    set({ promptId: 'p', cancelRequestedAt: 5 });
    await clock.advance(5_000);
    expect(times()).toEqual([60_000, 65_000, 365_000]);
  });

  it('asks nothing for a job that is over, unknown, or of a service that is gone', async () => {
    const { asked, set, jobs, ask } = played();
    set({ promptId: 'p' }, 'completed');
    expect(await ask('x')).toBeUndefined();
    set({ promptId: 'p', client: 'gone' });
    expect(await ask('x')).toBeUndefined();
    jobs.delete('x');
    expect(await ask('x')).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it('ends with the gateway', async () => {
    const { clock, times, set, ask, stop } = played();
    set({ promptId: 'p' });
    await ask('x');
    stop();
    set({ promptId: 'p', cancelRequestedAt: 5 });
    expect(clock.pending()).toBe(0);
    await clock.advance(60_000);
    expect(times()).toEqual([0]);
  });
});

describe('the cancellation of a job of a queue', () => {
  it('is asked for once, by the queue’s id, as the queue keeps it', async () => {
    const { clock, asked, set, ask } = played({ isQueue: true, submissionIds: 'jobs' });
    set({ promptId: 'p of the service' });
    expect(await ask('x')).toEqual(E.right(undefined));
    await clock.advance(300_000);
    expect(asked).toEqual([['x', 0]]);
  });

  it('is asked for again where the queue refused it, until it takes it', async () => {
    const { clock, times, service, set, ask } = played({ isQueue: true, submissionIds: 'jobs' });
    service.refuses = true;
    set();
    expect(await ask('x')).toMatchObject({ _tag: 'Left' });
    await clock.advance(5_000);
    service.refuses = false;
    await clock.advance(10_000);
    await clock.advance(300_000);
    expect(times()).toEqual([0, 5_000, 15_000]);
  });

  it('is asked for no more once the job is over', async () => {
    const { clock, times, set, ask } = played({ isQueue: true, submissionIds: 'jobs' });
    set({}, 'completed');
    expect(await ask('x')).toBeUndefined();
    await clock.advance(60_000);
    expect(times()).toEqual([]);
  });
});

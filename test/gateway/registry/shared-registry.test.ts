import { describe, expect, it } from 'vitest';
import type { JobRecord, JobRecordChange } from '../../../src/server/joblog/job-index.js';
import type { LifecycleEvent } from '../../../src/core/events/job-log-event.js';
import { life, workflow } from '../support.js';
import type { LoggedEvent } from '../../../src/server/joblog/event-log.js';
import { memoryEventLog } from '../../../src/server/gateway/store/memory-event-log.js';
import { memoryJobIndex } from '../../../src/server/gateway/store/memory-job-index.js';
import { newEntry } from '../../../src/server/gateway/registry/job-entry.js';
import { ownerLogWriter } from '../../../src/server/gateway/registry/owner-log-writer.js';
import { sharedRegistry } from '../../../src/server/gateway/registry/shared-registry.js';
import { statusOf } from '../../../src/core/events/state-members.js';
import { trackedJobs } from '../../../src/server/gateway/registry/tracked-jobs.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';

const recordOf = (id: string, more: Partial<JobRecord> = {}): JobRecord => ({
  ...{ id, owner: 'alice', client: 'default', createdAt: 1, expiresAt: 9, workflow, submissionId: `s-${id}` },
  ...more,
});
const [pending, running] = life('p1');
const ended = life('p1').at(-1)!;
const status = (jobId: string, id: string, state = ended): LoggedEvent => ({
  ...{ id, jobId, event: { type: 'status', at: 50, status: statusOf(state) } },
});

const setUp = () => {
  const jobs = trackedJobs();
  const positions = new Map<string, string>();
  const added = new Map<string, JobRecord>();
  const updates: [string, JobRecordChange][] = [];
  const memory = memoryJobIndex();
  const heard: string[] = [];
  jobs.changes.subscribe(({ owner, jobId }) => heard.push(`${owner} ${jobId}`));
  let isFull = false;
  const clock = virtualClock();
  const shared = sharedRegistry({
    ...{ clock, jobs, positions, added, retentionMs: 100, log: memoryEventLog() },
    writer: ownerLogWriter(clock, new AbortController().signal),
    index: {
      ...memory,
      update: (id, change) => {
        updates.push([id, change]);
        return isFull ? Promise.reject(new Error('The disk is full.')) : memory.update(id, change);
      },
    },
  });
  const track = (record: JobRecord, isOwn: boolean, state = pending!): void =>
    jobs.set({ entry: newEntry(record, state), latest: state, isOwn });
  const phases = (id: string) => [jobs.get(id)?.entry.state.phase, jobs.get(id)?.latest.phase];
  return {
    ...{ jobs, positions, added, updates, index: memory, shared, track, phases },
    heard: () => heard.splice(0),
    fill: () => (isFull = true),
  };
};

describe('a job that the log has', () => {
  it('is set to what its events say, with the write that waits, unless this process follows it', () => {
    const { jobs, heard, shared, track, phases } = setUp();
    shared.put(recordOf('new'), [status('new', 'e-1', running)]);
    expect([jobs.get('new'), phases('new')]).toMatchObject([
      { isOwn: false, entry: { position: 'e-1' } },
      ['in_progress', 'in_progress'],
    ]);
    const write = { state: undefined };
    jobs.set({ ...jobs.get('new')!, write });
    shared.put(recordOf('new'), [status('new', 'e-1', running), status('new', 'e-2')]);
    expect([jobs.get('new')?.write, phases('new')]).toEqual([write, ['completed', 'completed']]);
    expect(heard()).toEqual(['alice new', 'alice new']);
    track(recordOf('own'), true);
    shared.put(recordOf('own'), [status('own', 'e-3')]);
    expect([phases('own'), heard()]).toEqual([['pending', 'pending'], []]);
  });
});

describe('an event of another process', () => {
  it('puts up its job by the record that this process has added, or that the index has', async () => {
    const { added, heard, index, jobs, positions, shared } = setUp();
    added.set('added', recordOf('added', { client: 'of added' }));
    await index.add(recordOf('indexed', { client: 'of index' }));
    const submitted = (jobId: string): LifecycleEvent => ({
      ...{ type: 'submitted', at: 1, state: { ...pending!, promptId: jobId } },
    });
    for (const [at, jobId] of ['added', 'indexed'].entries()) {
      await shared.take('alice', { id: `e-${at}`, jobId, event: submitted(jobId) });
      expect(jobs.get(jobId)).toMatchObject({ isOwn: false, entry: { position: `e-${at}` } });
      expect(jobs.get(jobId)?.latest).toBe(jobs.get(jobId)?.entry.state);
    }
    expect(jobs.entries().map(({ record: { client } }) => client)).toEqual(['of added', 'of index']);
    expect([positions.get('alice'), heard()]).toEqual(['e-1', ['alice added', 'alice indexed']]);
  });

  it('moves the position, and nothing else, where nobody has the job any more', async () => {
    const { heard, jobs, positions, shared } = setUp();
    await shared.take('alice', status('gone', 'e-7'));
    expect([positions.get('alice'), jobs.entries(), heard()]).toEqual(['e-7', [], []]);
  });

  it('sets the state of a job that another process follows, and of one of its own the position alone', async () => {
    const { jobs, phases, shared, track } = setUp();
    track(recordOf('theirs'), false);
    track(recordOf('own'), true, running);
    for (const id of ['theirs', 'own']) await shared.take('alice', status(id, `e-${id}`));
    expect([phases('theirs'), phases('own')]).toEqual([
      ['completed', 'completed'],
      ['in_progress', 'in_progress'],
    ]);
    expect(jobs.get('own')).toMatchObject({ isOwn: true, entry: { position: 'e-own' } });
  });

  it('asks no index for a job that stands in the registry', async () => {
    const { index, jobs, shared, track } = setUp();
    await index.add(recordOf('known', { client: 'of index' }));
    track(recordOf('known'), false, running);
    await shared.take('alice', status('known', 'e-1', running));
    expect(jobs.get('known')?.entry.record.client).toBe('default');
  });
});

describe('the end of a job that another process tells of', () => {
  it('is kept by the index where a queue has the job, which no process follows', async () => {
    const { shared, track, updates } = setUp();
    track(recordOf('q', { submissionId: 'q' }), false, running);
    track(recordOf('theirs'), false, running);
    await shared.take('alice', status('q', 'e-1', running));
    expect(updates).toEqual([]);
    await shared.take('alice', status('theirs', 'e-2'));
    await shared.take('alice', status('q', 'e-3'));
    await shared.take('alice', { id: 'e-4', jobId: 'q', event: { type: 'cancelRequested', at: 60 } });
    expect(updates).toEqual([['q', { ended: { phase: 'completed', at: 50 }, expiresAt: 150 }]]);
  });

  it('is known also where the index can’t keep it', async () => {
    const { fill, phases, shared, track } = setUp();
    fill();
    track(recordOf('q', { submissionId: 'q' }), false, running);
    await shared.take('alice', status('q', 'e-1'));
    expect(phases('q')).toEqual(['completed', 'completed']);
  });
});

import { describe, expect, it } from 'vitest';
import type { EventLog } from '../../../src/server/joblog/event-log.js';
import type { JobRecord, JobRecordChange } from '../../../src/server/joblog/job-index.js';
import { jobRegistry } from '../../../src/server/gateway/registry/job-registry.js';
import { life, workflow } from '../support.js';
import { memoryEventLog } from '../../../src/server/gateway/store/memory-event-log.js';
import { memoryJobIndex } from '../../../src/server/gateway/store/memory-job-index.js';
import { NEVER } from 'rxjs';
import { progressOf } from '../../../src/core/events/state-members.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';

const recordOf = (id: string, more: Partial<JobRecord> = {}): JobRecord => ({
  ...{ id, owner: 'alice', client: 'default', createdAt: 5, expiresAt: 9, workflow, submissionId: `s-${id}` },
  ...more,
});
const [pending, running] = life('p1');
const ended = life('p1').at(-1)!;

/** A registry over a log that others write as well, where `isShared`; it notes what is announced and what the index is told. */
const setUp = ({
  isShared = false,
  change = {},
  log = memoryEventLog(),
}: {
  readonly isShared?: boolean;
  readonly change?: Partial<EventLog>;
  readonly log?: EventLog;
} = {}) => {
  const clock = virtualClock();
  const memory = memoryJobIndex();
  const told: [string, JobRecordChange][] = [];
  const index = {
    ...memory,
    update: (id: string, what: JobRecordChange) => {
      told.push([id, what]);
      return memory.update(id, what);
    },
  };
  const whole = { ...log, ...(isShared && { changes: NEVER }), ...change };
  const registry = jobRegistry(clock, index, whole, 1_000, new AbortController().signal);
  const heard: string[] = [];
  registry.changes.subscribe(({ owner, jobId }) => heard.push(`${owner} ${jobId}`));
  const eventsOf = async (jobId: string) =>
    (await log.read({ owner: 'alice', jobId }, undefined, 99)).events.map(({ event }) => event.type);
  return { clock, log, registry, told, eventsOf, heard: () => heard.splice(0) };
};

describe('a job that is loaded', () => {
  it('has the state that its events lead to, and is put down where the log has none', async () => {
    const { eventsOf, log, registry } = setUp();
    const [, position] = await log.append('alice', 'a', [
      { type: 'submitted', at: 6, state: running! },
      { type: 'cancelRequested', at: 7 },
    ]);
    const entry = await registry.load(recordOf('a'));
    expect(entry).toMatchObject({
      position,
      record: { cancelRequestedAt: 7 },
      state: { phase: 'in_progress' },
    });
    expect([registry.get('a'), registry.latest('a')]).toEqual([entry, entry.state]);
    expect(await eventsOf('a')).toEqual(['submitted', 'cancelRequested']);

    const other = await registry.load(recordOf('b'));
    expect([other.state.phase, await eventsOf('b')]).toEqual(['submitting', ['submitted']]);
    expect((await log.read({ owner: 'alice', jobId: 'b' }, undefined, 9)).events[0]?.event.at).toBe(5);
    expect(other.position).toBe(await log.position('alice'));
    const over = await registry.load(recordOf('c', { ended: { phase: 'failed', at: 8 } }));
    expect([over.state.phase, await eventsOf('c')]).toEqual(['failed', []]);
  });

  it('stays as it is known where it was put up before, and is followed from then on', async () => {
    const { registry } = setUp({ isShared: true });
    const known = await registry.watch(recordOf('a'), running!);
    expect(await registry.load(recordOf('a', { client: 'other' }))).toBe(known);
    registry.setProgress('a', progressOf({ ...running!, progress: 0.5 }));
    expect(registry.latest('a')?.progress).toBe(running!.progress);
  });
});

describe('a job whose events others store', () => {
  it('is put up as it is known, and takes its progress until it has ended', async () => {
    const { heard, registry } = setUp({ isShared: true });
    expect((await registry.watch(recordOf('a'), running!)).state).toBe(running);
    // What is known already stays.
    expect((await registry.watch(recordOf('a'), pending!)).state).toBe(running);
    heard();
    registry.setProgress('a', progressOf({ ...running!, progress: 0.5 }));
    expect([registry.get('a')?.state.progress, registry.latest('a')?.progress, heard()]).toEqual([
      ...[0.5, 0.5, ['alice a']],
    ]);
    registry.setProgress('unknown', progressOf(running!));
    await registry.watch(recordOf('b'), ended);
    heard();
    registry.setProgress('b', progressOf({ ...ended, progress: 0.5 }));
    expect([registry.latest('b'), heard()]).toEqual([ended, []]);
  });

  it('can’t be put up while the log does not answer', async () => {
    const { registry } = setUp({
      isShared: true,
      change: {
        read: () => Promise.reject(new Error('away')),
        position: () => Promise.reject(new Error('away')),
      },
    });
    await expect(registry.watch(recordOf('a'), running!)).rejects.toThrow('away');
  });

  it('is what the log says once another process follows it, as soon as that answers', async () => {
    const log = memoryEventLog();
    let isAway = false;
    const { clock, registry } = setUp({
      ...{ isShared: true, log },
      change: {
        read: (...args) => (isAway ? Promise.reject(new Error('away')) : log.read(...args)),
      },
    });
    await registry.open(recordOf('a'), pending!);
    await registry.ready('alice');
    registry.applyState('a', { ...running!, progress: 0.5 });
    await registry.settled();
    expect(registry.get('a')?.state.progress).toBe(0.5);
    isAway = true;
    registry.relinquish('unknown');
    registry.relinquish('a');
    await clock.advance(500);
    expect(registry.get('a')?.state.progress).toBe(0.5);
    isAway = false;
    await clock.advance(500);
    expect(registry.get('a')?.state).toMatchObject({ phase: 'in_progress' });
    // The log has no progress, so none is told that it lacks.
    registry.setProgress('a', progressOf({ ...running!, progress: 0.75 }));
    expect(registry.get('a')?.state.progress).toBe(0.75);
  });
});

describe('the state of a job that this process follows', () => {
  it('is told once it is stored; one that changes nothing is told to nobody', async () => {
    const { eventsOf, heard, registry } = setUp();
    await registry.open(recordOf('a'), pending!);
    heard();
    registry.applyState('a', { ...pending! });
    registry.applyState('unknown', running!);
    await registry.settled();
    expect([heard(), await eventsOf('a')]).toEqual([[], ['submitted']]);
    registry.applyState('a', running!);
    expect([registry.get('a')?.state.phase, registry.latest('a')?.phase, heard()]).toEqual([
      ...['pending', 'in_progress', []],
    ]);
    await registry.settled();
    expect([registry.get('a')?.state.phase, heard()]).toEqual(['in_progress', ['alice a']]);
  });

  it('stays at its end, which the index is told of once', async () => {
    const { clock, eventsOf, registry, told } = setUp();
    await registry.open(recordOf('a'), running!);
    expect(told).toEqual([]);
    registry.applyState('a', ended);
    registry.applyState('a', running!);
    await registry.settled();
    const change = { ended: { phase: 'completed', at: clock.wall() }, expiresAt: clock.wall() + 1_000 };
    expect([registry.get('a')?.record, told]).toMatchObject([change, [['a', change]]]);
    await registry.append('a', { type: 'cancelRequested', at: 9 });
    expect([told.length, (await eventsOf('a')).slice(-2)]).toEqual([1, ['status', 'cancelRequested']]);
    expect(registry.get('a')?.state.phase).toBe('completed');
  });

  it('counts each progress apart, over all jobs', async () => {
    const { registry } = setUp();
    const versions: (number | undefined)[] = [];
    for (const id of ['a', 'b']) await registry.open(recordOf(id), running!);
    for (const progress of [0.25, 0.5])
      for (const id of ['a', 'b']) {
        registry.applyState(id, { ...running!, progress });
        versions.push(registry.get(id)?.progressVersion);
      }
    expect(versions).toEqual(versions.toSorted((one, other) => one! - other!));
    expect(new Set(versions).size).toBe(4);
  });

  it('has each picture of a node under a new number, until the end', async () => {
    const { heard, registry } = setUp();
    await registry.open(recordOf('a'), running!);
    heard();
    const preview = { _tag: 'Preview', mediaType: 'image/png', image: new Uint8Array([1]) } as const;
    registry.setPreview('a', { ...preview, nodeId: '2' });
    registry.setPreview('a', preview);
    registry.setPreview('a', { ...preview, nodeId: '2', image: new Uint8Array([2]) });
    registry.setPreview('unknown', preview);
    expect([...(registry.get('a')?.previews.values() ?? [])]).toEqual([
      { id: '3', nodeId: '2', mediaType: 'image/png', bytes: new Uint8Array([2]) },
      { id: '2', nodeId: '', mediaType: 'image/png', bytes: new Uint8Array([1]) },
    ]);
    expect(heard()).toEqual(Array(3).fill('alice a'));
    registry.applyState('a', ended);
    registry.setPreview('a', preview);
    await registry.settled();
    expect(registry.get('a')?.previews.size).toBe(0);
  });
});

describe('what other processes wrote', () => {
  it('is read once for all who ask while that waits for its turn, and once more for who asks later', async () => {
    const log = memoryEventLog();
    let reads = 0;
    const { registry } = setUp({
      ...{ isShared: true, log },
      change: {
        read: (scope, ...rest) => {
          if (scope.jobId === undefined) reads += 1;
          return log.read(scope, ...rest);
        },
      },
    });
    await registry.ready('alice');
    await Promise.all([registry.sync('alice'), registry.sync('alice')]);
    expect(reads).toBe(1);
    await registry.sync('alice');
    expect(reads).toBe(2);
    await log.append('alice', 'a', [{ type: 'submitted', at: 1, state: running! }]);
    const forget = registry.expect(recordOf('a', { client: 'expected' }));
    await registry.sync('alice');
    expect(registry.get('a')).toMatchObject({
      record: { client: 'expected' },
      state: { phase: 'in_progress' },
    });
    expect([registry.all().length, registry.ofOwner('alice').length, registry.ofOwner('bob').length]).toEqual(
      [...[1, 1, 0]],
    );
    forget();
    await log.append('alice', 'b', [{ type: 'submitted', at: 1, state: running! }]);
    registry.expect(recordOf('b'))();
    await registry.sync('alice');
    expect([registry.get('b'), registry.position('alice')]).toEqual([undefined, await log.position('alice')]);
  });
});

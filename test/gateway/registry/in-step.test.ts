import { describe, expect, it } from 'vitest';
import { type Observable, Subject } from 'rxjs';
import { memoryEventLog } from '../../../src/server/gateway/store/memory-event-log.js';
import { memoryJobIndex } from '../../../src/server/gateway/store/memory-job-index.js';
import { type JobEntry, newEntry } from '../../../src/server/gateway/registry/job-entry.js';
import type { JobRegistry } from '../../../src/server/gateway/registry/job-registry.js';
import { life, workflow } from '../support.js';
import { sharedJobs } from '../../../src/server/gateway/registry/shared-jobs.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';

const never = (): Promise<never> => new Promise(() => undefined);
const away = (): Promise<never> => Promise.reject(new Error('The log is away.'));

const entryOf = (id: string): JobEntry =>
  newEntry(
    { ...{ id, owner: 'alice', client: 'default', createdAt: 1, expiresAt: 9, workflow }, submissionId: 's' },
    life('p1')[0]!,
  );

/** What is asked of a registry whose log others write as well, unless `changes` is null. */
const setUp = (changes: Observable<string> | null = new Subject<string>()) => {
  const clock = virtualClock();
  const asked: string[] = [];
  const answers = { ready: () => Promise.resolve(), sync: () => Promise.resolve() };
  let position: string | undefined;
  const registry = {
    position: () => position,
    ready: (owner: string) => {
      asked.push(`ready ${owner}`);
      return answers.ready();
    },
    sync: (owner: string) => {
      asked.push(`sync ${owner} at ${clock.now()}`);
      return answers.sync();
    },
    forget: ({ id }: { readonly id: string }) => void asked.push(`forget ${id}`),
  } as unknown as JobRegistry;
  const index = memoryJobIndex();
  const log = { ...memoryEventLog(), ...(changes !== null && { changes }) };
  const sharedOver = (get = index.get) => sharedJobs(registry, { ...index, get }, log, clock);
  return { clock, asked, answers, index, sharedOver, begunAt: (at: string) => (position = at) };
};

/** How long a promise takes on the clock. */
const timeOf = async ({ clock }: Pick<ReturnType<typeof setUp>, 'clock'>, work: Promise<unknown>) => {
  const began = clock.now();
  await clock.until(work);
  return clock.now() - began;
};

describe('a registry whose log one process has alone', () => {
  it('asks nothing of log and index, and keeps every job', async () => {
    const { asked, sharedOver } = setUp(null);
    const shared = sharedOver(away);
    const jobs = [entryOf('a')];
    await shared.begin('alice');
    await shared.sync('alice');
    expect(await shared.kept(jobs)).toBe(jobs);
    expect(shared.listen().closed).toBe(true);
    expect(asked).toEqual([]);
  });
});

describe('a registry whose log others write as well', () => {
  it('begins with an owner whose position is unknown, for a second at most', async () => {
    const world = setUp();
    const { answers, asked, begunAt, sharedOver } = world;
    const { begin } = sharedOver();
    expect(await timeOf(world, begin('alice'))).toBe(0);
    answers.ready = away;
    expect(await timeOf(world, begin('bob'))).toBe(0);
    answers.ready = never;
    expect(await timeOf(world, begin('carol'))).toBe(1_000);
    expect(asked).toEqual(['ready alice', 'ready bob', 'ready carol']);
    begunAt('e-1');
    await begin('alice');
    expect(asked).toHaveLength(3);
  });

  it('takes what others wrote before it answers, and what it knew where that takes more than a second', async () => {
    const world = setUp();
    const { answers, asked, sharedOver } = world;
    const { sync } = sharedOver();
    expect(await timeOf(world, sync('alice'))).toBe(0);
    answers.sync = away;
    expect(await timeOf(world, sync('alice'))).toBe(0);
    answers.sync = never;
    expect(await timeOf(world, sync('alice'))).toBe(1_000);
    expect(asked).toEqual(Array(3).fill('sync alice at 0'));
  });

  it('gives up the jobs that the index has no more, and keeps those of which it does not answer in time', async () => {
    const world = setUp();
    const { asked, index, sharedOver } = world;
    const [there, gone, unanswered, slow] = ['there', 'gone', 'unanswered', 'slow'].map(entryOf);
    await index.add(there!.record);
    const { kept } = sharedOver((id) =>
      id === 'unanswered' ? away() : id === 'slow' ? never() : index.get(id),
    );
    const answer = kept([there!, gone!, unanswered!, slow!]);
    expect(await timeOf(world, answer)).toBe(1_000);
    expect(await answer).toEqual([there, unanswered, slow]);
    expect(asked).toEqual(['forget gone']);
  });

  it('takes what others write when they do, each second again until the log answers, and no more once it is left', async () => {
    const changes = new Subject<string>();
    const { clock, answers, asked, sharedOver } = setUp(changes);
    const listening = sharedOver().listen();
    changes.next('alice');
    answers.sync = away;
    changes.next('bob');
    await clock.advance(1_500);
    // Whoever waits for the log keeps no process alive.
    await clock.runUntilIdle();
    answers.sync = () => Promise.resolve();
    await clock.advance(5_000);
    expect(asked).toEqual(['sync alice at 0', ...[0, 1_000, 2_000].map((at) => `sync bob at ${at}`)]);
    answers.sync = away;
    changes.next('alice');
    await clock.advance(0);
    listening.unsubscribe();
    await clock.advance(5_000);
    changes.next('alice');
    expect([asked.length, clock.pending()]).toEqual([5, 0]);
  });
});

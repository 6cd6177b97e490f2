import { alice, bob } from '../support.js';
import { describe, expect, it } from 'vitest';
import { initialJobState } from '../../../src/core/state/initial-job-state.js';
import { type JobEntry, newEntry } from '../../../src/server/gateway/registry/job-entry.js';
import type { Clock } from '../../../src/core/platform/platform.js';
import type { JobRegistry } from '../../../src/server/gateway/registry/job-registry.js';
import { ownedJobs } from '../../../src/server/gateway/jobs/owned-jobs.js';
import { virtualClock } from '../../../src/testing.js';
import type { SharedJobs } from '../../../src/server/gateway/registry/shared-jobs.js';

const entryOf = (id: string, owner: string): JobEntry =>
  newEntry(
    {
      ...{ id, owner, client: 'c', submissionId: `s-${id}`, createdAt: 1, expiresAt: 2, workflow: {} },
    },
    initialJobState({}),
  );

/** Jobs that this process knows, those that it hears of with its next question, and those that another process has removed. */
const known = (...ids: readonly string[]) => {
  const entries = new Map(ids.map((id) => [id, entryOf(id, 'alice')]));
  const coming: JobEntry[] = [];
  const removed = new Set<string>();
  const asked: string[] = [];
  const registry = {
    get: (id: string) => entries.get(id),
    ofOwner: (owner: string) => [...entries.values()].filter(({ record }) => record.owner === owner),
  } as unknown as JobRegistry;
  const shared = {
    sync: (owner: string) => {
      asked.push(`sync ${owner}`);
      for (const entry of coming.splice(0)) entries.set(entry.record.id, entry);
      return Promise.resolve();
    },
    kept: (jobs: readonly JobEntry[]) => {
      asked.push(`kept ${jobs.map(({ record }) => record.id).join()}`);
      return Promise.resolve(jobs.filter(({ record }) => !removed.has(record.id)));
    },
  } as unknown as SharedJobs;
  const clock = virtualClock();
  /** Each look at the clock takes a millisecond. */
  const busy: Pick<Clock, 'now' | 'after'> = {
    now: () => (looks += 1),
    after: (...args) => ((turns += 1), clock.after(...args)),
  };
  let looks = 0;
  let turns = 0;
  const jobs = ownedJobs(registry, shared, busy);
  return { entries, coming, removed, asked, clock, turns: () => turns, jobs };
};

describe('the job of an owner', () => {
  it('is one that another process has just submitted, and none of another owner', async () => {
    const { coming, asked, jobs } = known('a');
    coming.push(entryOf('b', 'alice'));
    expect(jobs.known(alice, 'b')).toBeUndefined();
    expect((await jobs.get(alice, 'b'))?.record.id).toBe('b');
    expect(asked).toEqual(['sync alice', 'kept b']);
    expect(jobs.known(alice, 'b')?.record.id).toBe('b');
    expect([jobs.known(bob, 'a'), await jobs.get(bob, 'a'), await jobs.get(alice, 'none')]).toEqual([
      ...[undefined, undefined, undefined],
    ]);
  });

  it('is none that another process has removed, and as it is after that question', async () => {
    const { entries, removed, jobs } = known('a', 'b');
    removed.add('a');
    expect(await jobs.get(alice, 'a')).toBeUndefined();
    const later = { ...entryOf('b', 'alice'), publishedAt: 9 };
    const asked = jobs.get(alice, 'b');
    entries.set('b', later);
    expect(await asked).toBe(later);
  });
});

describe('the list of an owner', () => {
  const idsOf = (page: Awaited<ReturnType<ReturnType<typeof known>['jobs']['list']>>) =>
    page?.jobs.map(({ record }) => record.id);

  it('begins with the newest, also of another process, and leaves out what that one has removed', async () => {
    const { coming, removed, asked, jobs } = known('a', 'b', 'c');
    coming.push(entryOf('d', 'alice'));
    removed.add('c');
    const first = await jobs.list(alice, { limit: 3 });
    expect([idsOf(first), asked]).toEqual([
      ['d', 'b'],
      ['sync alice', 'kept d,c,b'],
    ]);
    const rest = await jobs.list(alice, { limit: 3, after: first?.next });
    expect([idsOf(rest), rest && 'next' in rest]).toEqual([['a'], false]);
    expect([await jobs.list(bob, { limit: 3 }), await jobs.list(alice, { limit: 3, after: 'x' })]).toEqual([
      { jobs: [] },
      undefined,
    ]);
  });

  it('T3 is made in slices, one list of an owner after the other, so that others have their turns', async () => {
    const { clock, turns, jobs } = known(...Array.from({ length: 40 }, (_, nth) => `job-${nth}`));
    const ended: string[] = [];
    const list = async (name: string): Promise<void> => {
      await jobs.list({ name }, { limit: 9, text: 'nothing' });
      ended.push(name);
    };
    const all = [list('alice'), list('alice'), list('bob')];
    await clock.until(Promise.all(all));
    expect(ended).toEqual(['bob', 'alice', 'alice']);
    expect(turns()).toBeGreaterThan(3);
  });
});

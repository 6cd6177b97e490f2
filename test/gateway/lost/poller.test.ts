import { describe, expect, it } from 'vitest';
import type { JobRecord } from '../../../src/server/joblog/job-index.js';
import { type Listing, poller } from '../../../src/server/gateway/lost/poller.js';
import { memoryJobIndex } from '../../../src/server/gateway/store/memory-job-index.js';
import { playedService } from '../support.js';
import type { Upstream } from '../../../src/server/gateway/upstream/upstream.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';

const workflowOf = (name: string) => ({ 1: { class_type: name, inputs: {} } });

const recordOf = (id: string, createdAt: number, more: Partial<JobRecord> = {}): JobRecord => ({
  ...{ id, owner: 'alice', client: 'default', createdAt, expiresAt: 0, workflow: workflowOf(id) },
  ...{ submissionId: `s-${id}`, ...more },
});

type Search = Parameters<NonNullable<Upstream['jobsSince']>>[0];

const setUp = (more: Partial<Upstream> = {}) => {
  const clock = virtualClock();
  const index = memoryJobIndex();
  const searches: (Search & { readonly at: number; readonly free: readonly string[] })[] = [];
  const upstream: Upstream = {
    ...playedService(),
    jobsSince: async (search) => {
      const free = await search.unclaimed(['p1', 'p2', 'p3']);
      searches.push({ ...search, at: clock.now(), free });
      return free.map((promptId) => ({ promptId }));
    },
    ...more,
  };
  const { listings } = poller({ client: 'default', upstream, index, clock, everyMs: 1_000 });
  return { clock, index, searches, listings };
};

describe('the listings of a service', () => {
  it('are one for all jobs that are looked for, from the first on, and end with the last', async () => {
    const { clock, searches, listings } = setUp();
    const seen: Listing[] = [];
    const [late, early] = [recordOf('late', 500), recordOf('early', 100)];
    const one = listings(late).subscribe((listing) => seen.push(listing));
    await clock.advance(0);
    const two = listings(early).subscribe();
    await clock.advance(999);
    expect(searches.map(({ at, since }) => [at, since])).toEqual([[0, 500]]);
    await clock.advance(1);
    expect(searches.map(({ at, since }) => [at, since])).toEqual([
      [0, 500],
      [1_000, 100],
    ]);
    const { isMeant } = searches[1]!;
    expect(['late', 'early', 'other'].map((name) => isMeant(workflowOf(name)))).toEqual([true, true, false]);
    two.unsubscribe();
    await clock.advance(1_000);
    expect([searches[2]?.since, searches[2]?.isMeant(workflowOf('early'))]).toEqual([500, false]);
    expect(seen.map(({ at }) => at - clock.wall())).toEqual([-2_000, -1_000, 0]);
    one.unsubscribe();
    await clock.advance(10_000);
    expect([searches.length, clock.pending()]).toEqual([3, 0]);
  });

  it('show what no submission of this service has claimed, and which got no answer', async () => {
    const { clock, index, searches, listings } = setUp();
    const lost = recordOf('lost', 1);
    await index.add(lost);
    await index.add(recordOf('claims', 1, { promptId: 'p1' }));
    await index.add(recordOf('of another', 1, { client: 'other', promptId: 'p2' }));
    await index.add(recordOf('of another as well', 1, { client: 'other' }));
    const seen: Listing[] = [];
    const watching = listings(lost).subscribe((listing) => seen.push(listing));
    await clock.advance(0);
    expect([searches[0]?.free, seen[0]?.unanswered.map(({ id }) => id)]).toEqual([['p2', 'p3'], ['lost']]);
    expect([seen[0]?.jobs, seen[0]?.answered.size]).toEqual([[{ promptId: 'p2' }, { promptId: 'p3' }], 0]);
    // Its answer came after all, to another process.
    await index.update('lost', { promptId: 'p3' });
    await clock.advance(1_000);
    expect([seen[1]?.answered, seen[1]?.unanswered]).toEqual([new Map([['lost', 'p3']]), []]);
    watching.unsubscribe();
  });

  it('show nothing where the service has no lists', async () => {
    const { clock, listings } = setUp({ jobsSince: undefined });
    const seen: Listing[] = [];
    const watching = listings(recordOf('a', 1)).subscribe((listing) => seen.push(listing));
    await clock.advance(0);
    expect(seen).toMatchObject([{ jobs: [], unanswered: [] }]);
    watching.unsubscribe();
  });

  it('end with an error where the index does not answer, and begin anew', async () => {
    const { clock, index, listings } = setUp();
    let isAway = true;
    const list = index.list;
    Object.assign(index, {
      list: (...args: Parameters<typeof list>) =>
        isAway ? Promise.reject(new Error('The index is away.')) : list(...args),
    });
    const errors: unknown[] = [];
    listings(recordOf('a', 1)).subscribe({ error: (error: unknown) => errors.push(String(error)) });
    await clock.advance(0);
    expect(errors).toEqual(['Error: The index is away.']);
    isAway = false;
    const seen: Listing[] = [];
    const watching = listings(recordOf('b', 1)).subscribe((listing) => seen.push(listing));
    await clock.advance(0);
    expect(seen).toHaveLength(1);
    watching.unsubscribe();
  });
});

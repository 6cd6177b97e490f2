import { describe, expect, it } from 'vitest';
import * as E from '../../src/core/protocol/either.js';
import { type JobSearch, jobsSince } from '../../src/core/lost/jobs-since.js';
import { markerField, matchCandidates } from '../../src/core/lost/match-candidates.js';
import type { RecentJob, RecentJobsOptions, ServiceError } from 'promptwire';
import { serviceError } from '../../src/core/errors/service-error.js';

const workflow = { 1: { class_type: 'SaveImage', inputs: {} } };
const day = 86_400_000;

/** A service with jobs that ended, the latest first, and what was asked of its history. */
const serviceWith = (ended: readonly RecentJob[]) => {
  const limits: (number | undefined)[] = [];
  const right = <A>(value: A) => Promise.resolve(E.right(value));
  const rest = {
    queue: () => () => right({ running: [], pending: [] }),
    recentJobs:
      ({ limit }: RecentJobsOptions = {}) =>
      () => {
        limits.push(limit);
        return right(ended.slice(0, limit));
      },
    jobDetail: () => () => Promise.reject(new Error('The listing has the marker.')),
  };
  return { limits, rest };
};

const endedJobs = (count: number, createdAt: number): RecentJob[] =>
  Array.from({ length: count }, (_, nth) => ({
    promptId: `other ${nth}`,
    createdAt: createdAt - nth,
    extraData: { [markerField]: `of other ${nth}` },
  }));

const own: RecentJob = { promptId: 'own', createdAt: day, extraData: { [markerField]: 'mine' } };
const submission = { submissionId: 'mine', since: day, workflow, isMarked: true };

const look = async (rest: JobSearch['rest']) => {
  const isMeant = () => true;
  const unclaimed = (ids: readonly string[]) => Promise.resolve(ids);
  const jobs = await jobsSince({ ...submission, rest, isMeant, unclaimed });
  return jobs && matchCandidates(jobs, submission);
};

it('finds a job behind many that came after it', async () => {
  const { limits, rest } = serviceWith([...endedJobs(1_500, 2 * day), own]);
  const seen = await look(rest);
  expect(seen).toEqual({ marked: ['own'], alike: [] });
  expect(limits).toEqual([256, 1_024, 4_096]);
});

it('asks once where the list goes back beyond the submission', async () => {
  const { limits, rest } = serviceWith([own, ...endedJobs(500, day / 2)]);
  const seen = await look(rest);
  expect(seen).toEqual({ marked: ['own'], alike: [] });
  expect(limits).toEqual([256]);
});

it('N6: finds a job behind more than the largest list of a usual page', async () => {
  const { limits, rest } = serviceWith([...endedJobs(5_000, 2 * day), own]);
  const seen = await look(rest);
  expect(seen).toEqual({ marked: ['own'], alike: [] });
  expect(limits).toEqual([256, 1_024, 4_096, 16_384]);
});

describe('the jobs that may be of a lost submission', () => {
  const down = E.left(serviceError('Network', { code: 'X', sent: true }));
  const notServed = E.left(serviceError('NotSupported', {}));
  const page = E.left(serviceError('NotFound', { sample: '<html>' }));
  const ownWord = E.left(serviceError('NotFound', { sample: '{"error":"none"}' }));
  type Answer<A> = E.Either<ServiceError, A>;

  /** A service that gives these answers, and what it was asked. */
  const played = ({
    queue = E.right({ running: [], pending: [] }),
    recent = () => E.right([]),
    job = down,
  }: {
    readonly queue?: Answer<{
      readonly running: readonly RecentJob[];
      readonly pending: readonly RecentJob[];
    }>;
    readonly recent?: (options: RecentJobsOptions) => Answer<readonly RecentJob[]>;
    readonly job?: Answer<Partial<RecentJob>>;
  }) => {
    const asked: unknown[] = [];
    const rest = {
      queue: (options: unknown) => () => {
        asked.push(['queue', options]);
        return Promise.resolve(queue);
      },
      recentJobs: (options: RecentJobsOptions) => () => {
        asked.push(['recent', options]);
        return Promise.resolve(recent(options));
      },
      jobDetail: (promptId: string, options: unknown) => () => {
        asked.push(['job', promptId, options]);
        return Promise.resolve(job);
      },
    } as unknown as JobSearch['rest'];
    return { rest, asked };
  };
  const search = (rest: JobSearch['rest'], more: Partial<JobSearch> = {}) =>
    jobsSince({
      ...{ rest, since: day, isMarked: true, isMeant: () => true },
      unclaimed: (ids) => Promise.resolve(ids),
      ...more,
    });
  const waits: RecentJob = { promptId: 'waits', createdAt: day, workflow };

  it('are those that run, wait and ended, each once with all that is known, and no older one', async () => {
    const marked = { extraData: { [markerField]: 'mine' } };
    const { rest, asked } = played({
      queue: E.right({
        running: [{ promptId: 'runs', createdAt: day, workflow, ...marked }],
        pending: [
          { ...waits, ...marked },
          { promptId: 'old', createdAt: 0, workflow },
        ],
      }),
      recent: () => E.right([{ promptId: 'runs', createdAt: undefined, ...marked }]),
    });
    expect(await search(rest)).toEqual([
      { promptId: 'runs', createdAt: day, workflow, ...marked },
      { ...waits, ...marked },
    ]);
    expect(asked).toEqual([
      ['queue', { timeoutMs: 10_000 }],
      ['recent', { timeoutMs: 10_000, limit: 256 }],
    ]);
    expect(await search(rest, { unclaimed: () => Promise.resolve(['waits']) })).toEqual([
      { ...waits, ...marked },
    ]);
  });

  it.each([
    ['the queue does not answer', { queue: down }],
    ['the queue answers with a page', { queue: page }],
    ['the history does not answer', { recent: () => down }],
    ['a job does not answer', { queue: E.right({ running: [], pending: [waits] }) }],
  ])('are not known where %s', async (_, answers) => {
    expect(await search(played(answers).rest)).toBeUndefined();
  });

  it.each([
    ['says so', notServed],
    ['does not know the address', ownWord],
  ])('are none of a list that the service does not serve, which %s', async (_, refused) => {
    const queue = E.right({ running: [], pending: [{ ...waits, extraData: {} }] });
    expect(await search(played({ queue, recent: () => refused }).rest)).toHaveLength(1);
    const recent = () => E.right([{ ...waits, extraData: {} }]);
    expect(await search(played({ queue: refused, recent }).rest)).toHaveLength(1);
    expect(await search(played({ queue: refused, recent: () => refused }).rest)).toEqual([]);
  });

  it('get their marker from their record where the listing has no room for it', async () => {
    const queue = E.right({ running: [], pending: [waits] });
    const extraData = { [markerField]: 'mine' };
    const { rest, asked } = played({ queue, job: E.right({ extraData }) });
    expect(await search(rest)).toEqual([{ ...waits, extraData }]);
    expect(asked.at(-1)).toEqual(['job', 'waits', { timeoutMs: 10_000 }]);
    // Nothing more is asked of a job of another workflow, of one that shows its extra data, and where there are no markers.
    for (const [more, job] of [
      [{ isMeant: () => false }, waits],
      [{ isMarked: false }, waits],
      [{}, { ...waits, extraData: {} }],
    ] as const) {
      const one = played({ queue: E.right({ running: [], pending: [job] }) });
      expect(await search(one.rest, more)).toEqual([job]);
      expect(one.asked).toHaveLength(2);
    }
    expect(await search(played({ queue, job: ownWord }).rest)).toEqual([waits]);
  });

  it('get their workflow from the history where the listing leaves it out', async () => {
    const bare: RecentJob = { promptId: 'bare', createdAt: day };
    const queue = E.right({ running: [bare], pending: [] });
    const of = (record: Answer<readonly RecentJob[]>) =>
      played({ queue, recent: ({ promptIds }) => (promptIds === undefined ? E.right([]) : record) });
    const known = of(E.right([{ promptId: 'bare', createdAt: undefined, workflow }]));
    expect(await search(known.rest, { isMarked: false })).toEqual([{ ...bare, workflow }]);
    expect(known.asked.at(-1)).toEqual(['recent', { timeoutMs: 10_000, promptIds: ['bare'] }]);
    expect(await search(of(E.right([])).rest)).toEqual([bare]);
    expect(await search(of(notServed).rest)).toEqual([bare]);
    expect(await search(of(down).rest)).toBeUndefined();
    // A marker is enough.
    const marked = { ...bare, extraData: { [markerField]: 'mine' } };
    const one = played({ queue: E.right({ running: [marked], pending: [] }) });
    expect([await search(one.rest), one.asked.length]).toEqual([[marked], 2]);
    expect(await search(of(E.right([])).rest, { isMarked: false })).toEqual([bare]);
  });
});

import fc from 'fast-check';
import type { JobIndex, JobRecord } from '../../../src/server/joblog/job-index.js';

const dayMs = 86_400_000;

/** What one step of a play does to an index; ids are numbers of jobs that may not be there. */
export type IndexStep =
  | { readonly _tag: 'add'; readonly owner: string; readonly key: string | undefined }
  | { readonly _tag: 'end'; readonly nth: number; readonly keptMs: number }
  | { readonly _tag: 'remove'; readonly nth: number }
  | { readonly _tag: 'expire' }
  | { readonly _tag: 'pass'; readonly ms: number };

// Names that run into each other where they are joined without care.
const owners = fc.constantFrom('a', 'b', 'a","b');
const keys = fc.option(fc.constantFrom('k', 'l', 'b","k'), { nil: undefined });
const nth = fc.nat({ max: 9 });

/** Plays of steps. */
export const indexSteps: fc.Arbitrary<readonly IndexStep[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ _tag: fc.constant('add' as const), owner: owners, key: keys }) },
    {
      weight: 3,
      arbitrary: fc.record({
        ...{ _tag: fc.constant('end' as const), nth, keptMs: fc.constantFrom(0, 1_000, dayMs) },
      }),
    },
    { weight: 1, arbitrary: fc.record({ _tag: fc.constant('remove' as const), nth }) },
    { weight: 2, arbitrary: fc.record({ _tag: fc.constant('expire' as const) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        _tag: fc.constant('pass' as const),
        ms: fc.constantFrom(1, 999, dayMs - 1, dayMs),
      }),
    },
  ),
  { maxLength: 40 },
);

interface KnownKey {
  readonly owner: string;
  readonly key: string;
  readonly id: string;
  readonly since: number;
}

/**
 * What the contract of an index says, in lists that are searched from their beginnings: the model shares no code with the tables of
 * `src`.
 */
export const indexModel = ({ maxJobs, maxKeys }: { readonly maxJobs: number; readonly maxKeys: number }) => {
  let jobs: JobRecord[] = [];
  let keys: KnownKey[] = [];
  const isLive = (id: string): boolean => jobs.some((job) => job.id === id);
  const forget = (id: string): void => {
    jobs = jobs.filter((job) => job.id !== id);
    const orphans = keys.filter((key) => !isLive(key.id));
    if (orphans.length > maxKeys) keys = keys.filter((key) => key !== orphans[0]);
  };
  return {
    add: (record: JobRecord): unknown => {
      const used = keys.find(({ owner, key }) => owner === record.owner && key === record.key);
      if (used !== undefined) {
        const existing = jobs.find(({ id }) => id === used.id);
        return existing === undefined ? { _tag: 'keyUsed' } : { _tag: 'keyUsed', existing };
      }
      const evicted: JobRecord[] = [];
      while (jobs.length - evicted.length + 1 > maxJobs) {
        const next = ofBiggestHolder(jobs.filter((job) => !evicted.includes(job)));
        if (next === undefined) return { _tag: 'full', whose: 'all' };
        evicted.push(next);
      }
      for (const { id } of evicted) forget(id);
      jobs.push(record);
      const { owner, key, id, createdAt: since } = record;
      if (key !== undefined) keys.push({ owner, key, id, since });
      return { _tag: 'added', evicted };
    },
    end: (id: string, change: Partial<JobRecord>): void => {
      jobs = jobs.map((job) => (job.id === id ? { ...job, ...change } : job));
    },
    remove: (id: string): void => {
      if (isLive(id)) keys = keys.filter((key) => key.id !== id);
      jobs = jobs.filter((job) => job.id !== id);
    },
    expire: (now: number): readonly JobRecord[] => {
      const over = jobs.filter(({ ended, expiresAt }) => ended !== undefined && expiresAt <= now);
      for (const { id } of over) forget(id);
      keys = keys.filter(({ id, since }) => isLive(id) || since + dayMs > now);
      return over;
    },
    get: (id: string): JobRecord | undefined => jobs.find((job) => job.id === id),
    list: (owner: string | undefined): readonly JobRecord[] =>
      jobs.filter((job) => owner === undefined || job.owner === owner).toReversed(),
  };
};

/** The oldest ended job of the owner that has most jobs and an ended one; of several such owners, of the last one by name. */
const ofBiggestHolder = (jobs: readonly JobRecord[]): JobRecord | undefined => {
  const count = (name: string): number => jobs.filter(({ owner }) => owner === name).length;
  const ended = jobs.filter((job) => job.ended !== undefined);
  const most = Math.max(...ended.map(({ owner }) => count(owner)));
  const [owner] = ended
    .map((job) => job.owner)
    .filter((name) => count(name) === most)
    .toSorted()
    .slice(-1);
  return ended.find((job) => job.owner === owner);
};

/** Plays steps on an index and on the model, and gives what both answered, one line for each question. */
export const playIndex = async (
  steps: readonly IndexStep[],
  limits: Parameters<typeof indexModel>[0] & {
    /** Whose clock says how old a key is: the play's by default, or a server's, in which a play takes no time. */
    readonly clock?: 'server';
  },
  open: () => Promise<JobIndex>,
  reopenEach = Infinity,
): Promise<{ readonly answers: readonly unknown[]; readonly expected: readonly unknown[] }> => {
  const model = indexModel(limits);
  const answers: unknown[] = [];
  const expected: unknown[] = [];
  let index = await open();
  let now = limits.clock === 'server' ? Date.now() : 1_000_000;
  let count = 0;
  for (const [at, step] of steps.entries()) {
    if ((at + 1) % reopenEach === 0) {
      await index.close?.();
      index = await open();
      // A key that is too old is let go by the next look, which a gateway takes once a minute.
      answers.push(await index.expire(now));
      expected.push(model.expire(now));
    }
    const id = 'nth' in step ? `job ${step.nth}` : `job ${count}`;
    // Less than a second each, so that no key of a server's clock is a day old.
    if (step._tag === 'pass') now += limits.clock === 'server' ? step.ms % 1_000 : step.ms;
    else if (step._tag === 'add') {
      count += 1;
      const { owner, key } = step;
      const record: JobRecord = {
        ...{ id, owner, client: 'default', createdAt: now, expiresAt: now + dayMs, workflow: {} },
        ...{ submissionId: `of ${id}`, ...(key !== undefined && { key }) },
      };
      answers.push(await index.add(record));
      expected.push(model.add(record));
    } else if (step._tag === 'end') {
      const change = { ended: { phase: 'completed', at: now }, expiresAt: now + step.keptMs } as const;
      await index.update(id, change);
      model.end(id, change);
    } else if (step._tag === 'remove') {
      await index.remove(id);
      model.remove(id);
    } else {
      answers.push(await index.expire(now));
      expected.push(model.expire(now));
    }
    answers.push(await index.get(id), await index.list(undefined, { limit: 99 }));
    expected.push(model.get(id), model.list(undefined));
  }
  for (const owner of ['a', 'b', 'a","b', 'nobody']) {
    const own = model.list(owner);
    const after = own[0]?.id;
    answers.push(await index.list(owner, { limit: 2 }), await index.list(owner, { after, limit: 2 }));
    expected.push(own.slice(0, 2), after === undefined ? [] : own.slice(1, 3));
  }
  await index.close?.();
  return { answers, expected };
};

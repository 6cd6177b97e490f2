import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assign } from '../../src/client/pool/assign.js';
import type { AssignableServer } from '../../src/client/pool/assignable.js';
import { earliestEnd, type Placement } from '../../src/client/pool/placement.js';
import type { WaitingJob } from '../../src/client/pool/waiting-jobs.js';
import { waitingJobs } from '../../src/client/pool/waiting-jobs.js';

const waiting = (number: number, model: string): WaitingJob => ({
  number,
  workflow: {},
  work: { shape: model, models: [model], classes: [], needs: model, guessMs: 1_000, guessLoadMs: 5_000 },
  ...{ tags: [], excluded: new Map(), since: 0, attempt: 1 },
  ...{ give: () => undefined, tell: () => undefined, stay: () => undefined, refuse: () => undefined },
});

const groupsOf = (jobs: readonly WaitingJob[]) => {
  const all = waitingJobs();
  for (const job of jobs) all.add(job);
  return all.groups();
};

/** Each server can run the jobs of the models that it is listed with. */
const plan = (
  jobs: readonly WaitingJob[],
  servers: readonly (AssignableServer & { readonly has: readonly string[] })[],
  placement: Placement = earliestEnd,
  threw: (job: WaitingJob, cause: unknown) => void = () => undefined,
) =>
  assign(groupsOf(jobs), servers, {
    placement,
    now: 0,
    ableFor: ({ work }) =>
      new Set(servers.filter(({ has }) => has.includes(work.shape)).map(({ name }) => name)),
    runMs: () => 1_000,
    loadMs: (_, { models }, loaded) => (models.every((model) => loaded.includes(model)) ? 0 : 5_000),
    threw,
    preferredFor: (_, able) => able,
  });

const model: fc.Arbitrary<string> = fc.constantFrom('a', 'b', 'c');
const jobs = fc
  .array(model, { maxLength: 150 })
  .map((models) => models.map((name, number) => waiting(number, name)));
const servers = fc
  .array(
    fc.record({
      room: fc.integer({ min: 0, max: 2 }),
      workMs: fc.integer({ min: 0, max: 20_000 }),
      models: fc.array(model, { maxLength: 1 }),
      has: fc.uniqueArray(model),
    }),
    { maxLength: 8 },
  )
  .map((all) => all.map((one, index) => ({ ...one, name: `s${index}`, slots: 1 })));

describe('assign', () => {
  it('law: asks once what a shape of work takes on a server', () => {
    fc.assert(
      fc.property(jobs, servers, (given, pool) => {
        const asked: string[] = [];
        assign(groupsOf(given), pool, {
          ...{ placement: earliestEnd, now: 0, loadMs: () => 0, threw: () => undefined },
          preferredFor: (_, able) => able,
          ableFor: () => new Set(pool.map(({ name }) => name)),
          runMs: (server, { shape }) => {
            asked.push(`${server} ${shape}`);
            return 1_000;
          },
        });
        expect(new Set(asked).size).toBe(asked.length);
      }),
    );
  });

  it('law: gives each job once, to a server that can run it, and none more than it has room for', () => {
    fc.assert(
      fc.property(jobs, servers, (given, pool) => {
        const pairs = plan(given, pool);
        expect(new Set(pairs.map(([job]) => job)).size).toBe(pairs.length);
        for (const { name, room, has } of pool) {
          const own = pairs.filter(([, server]) => server === name);
          expect(own.length).toBeLessThanOrEqual(room);
          expect(own.every(([{ work }]) => has.includes(work.shape))).toBe(true);
        }
      }),
    );
  });

  it('law: of the jobs of one kind the older ones come first', () => {
    fc.assert(
      fc.property(jobs, servers, (given, pool) => {
        const pairs = plan(given, pool);
        for (const kind of ['a', 'b', 'c']) {
          const numbers = pairs.filter(([{ work }]) => work.shape === kind).map(([job]) => job.number);
          const oldest = given.filter(({ work }) => work.shape === kind).slice(0, numbers.length);
          expect(numbers.toSorted((one, other) => one - other)).toEqual(oldest.map(({ number }) => number));
        }
      }),
    );
  });

  it('law: leaves no server without work while many jobs wait that it can run', () => {
    const many = fc
      .constantFrom(200, 500)
      .map((count) =>
        Array.from({ length: count }, (_, number) => waiting(number, 'abc'.charAt(number % 3))),
      );
    const able = servers.map((all) => all.map((one) => ({ ...one, has: ['a', 'b', 'c'] })));
    fc.assert(
      fc.property(many, able, (given, pool) => {
        const busy = new Set(plan(given, pool).map(([, server]) => server));
        const idle = pool.filter(({ name, room, workMs }) => room > 0 && workMs === 0 && !busy.has(name));
        expect(idle).toEqual([]);
      }),
    );
  });

  it('law: gives no job to a server for which the placement threw, and tells of each; the others are given', () => {
    fc.assert(
      fc.property(jobs, servers, (given, pool) => {
        const broken = new Set<WaitingJob>();
        const placement: Placement = (job, all) => {
          if (job.shape === 'a') throw new Error('no a');
          return earliestEnd(job, all);
        };
        const pairs = plan(given, pool, placement, (job) => void broken.add(job));
        expect(pairs.filter(([job]) => broken.has(job))).toEqual([]);
        expect([...broken].every(({ work }) => work.shape === 'a')).toBe(true);
      }),
    );
  });

  it('waits for a busy server with the models rather than to load them for longer', () => {
    const busy = { ...{ name: 'busy', slots: 1, room: 0, models: ['a'] }, has: ['a'] };
    const idle = { ...{ name: 'idle', slots: 1, room: 1, workMs: 0, models: ['b'] }, has: ['a'] };
    expect(plan([waiting(0, 'a')], [{ ...busy, workMs: 3_000 }, idle])).toEqual([]);
    expect(plan([waiting(0, 'a')], [{ ...busy, workMs: 16_000 }, idle])).toMatchObject([[{}, 'idle']]);
    // One that has loaded nothing loses nothing.
    expect(
      plan(
        [waiting(0, 'a')],
        [
          { ...busy, workMs: 5_000 },
          { ...idle, models: [] },
        ],
      ),
    ).toMatchObject([[{}, 'idle']]);
  });

  it('does not turn all servers that become free together to the same models', () => {
    const jobs = ['b', 'b', 'b', 'b', 'b', 'b', 'a'].flatMap((name, family) =>
      Array.from({ length: 12 }, (_, number) => waiting(12 * family + number, name)),
    );
    const free = Array.from({ length: 6 }, (_, index) => ({
      ...{ name: `s${index}`, slots: 1, room: 1, workMs: 0 },
      ...{ models: ['a'], has: ['a', 'b'] },
    }));
    const given = plan(jobs, free).map(([{ work }]) => work.shape);
    expect(given.toSorted()).toEqual(['a', 'b', 'b', 'b', 'b', 'b']);
  });

  it('loads on an idle server what would be done last, also where that comes after the jobs that are looked at', () => {
    const jobs = Array.from({ length: 164 }, (_, number) => waiting(number, number < 64 ? 'a' : 'b'));
    const busy = Array.from({ length: 9 }, (_, index) => ({
      ...{ name: `busy${index}`, slots: 1, room: 0, workMs: 500 },
      ...{ models: [index < 8 ? 'a' : 'b'], has: ['a', 'b'] },
    }));
    const idle = { ...{ name: 'idle', slots: 1, room: 1, workMs: 0, models: ['c'] }, has: ['a', 'b'] };
    expect(plan(jobs, [...busy, idle])).toMatchObject([[{ number: 64 }, 'idle']]);
  });

  it('loads nothing for the last jobs of many servers that have their models', () => {
    const jobs = Array.from({ length: 80 }, (_, number) => waiting(number, 'a'));
    const busy = Array.from({ length: 40 }, (_, index) => ({
      ...{ name: `busy${index}`, slots: 1, room: 0, workMs: 500 },
      ...{ models: ['a'], has: ['a'] },
    }));
    const idle = { ...{ name: 'idle', slots: 1, room: 1, workMs: 0, models: ['b'] }, has: ['a', 'b'] };
    expect(plan(jobs, [...busy, idle])).toEqual([]);
  });

  it('asks the placement equally often with 100 and 30,000 waiting jobs, and in proportion to the servers', () => {
    const calls = (waitingCount: number, serverCount: number): number => {
      const seen = { servers: 0 };
      const counting: Placement = (job, all) => {
        seen.servers += all.length;
        return earliestEnd(job, all);
      };
      const given = Array.from({ length: waitingCount }, (_, number) => waiting(number, 'a'));
      const pool = Array.from({ length: serverCount }, (_, index) => ({
        ...{ name: `s${index}`, slots: 1, room: index === 0 ? 1 : 0, workMs: index === 0 ? 0 : 1_000 },
        ...{ models: ['a'], has: ['a'] },
      }));
      plan(given, pool, counting);
      return seen.servers;
    };
    expect(calls(30_000, 50)).toBe(calls(100, 50));
    expect(calls(100, 300)).toBe(6 * calls(100, 50));
  });
});

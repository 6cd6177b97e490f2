import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { earliestEnd } from '../../../src/client/pool/placement.js';
import type {
  KnownServer,
  QueueSnapshot,
  WaitingForServer,
} from '../../../src/server/queue/servers/queue-snapshot.js';
import { placeJobs } from '../../../src/server/queue/servers/place-jobs.js';
import { runTimes } from '../../../src/client/pool/run-times.js';
import type { ServerReport } from '../../../src/server/queue/servers/server-report.js';

const report = (more: Partial<ServerReport> = {}): ServerReport => ({
  ...{ baseUrl: 'http://attic', health: 'up', since: 0, slots: 1, speed: 1, isUp: true, takes: true },
  ...{ tags: [], rerunsLost: true, can: { a: '' }, failing: [] },
  ...more,
});

const server = (
  name: string,
  reports: readonly ServerReport[],
  more: Partial<KnownServer> = {},
): KnownServer => ({
  ...{ name, last: reports[0] ?? report(), mode: 'active', uses: [], models: [], open: 0 },
  ...{ done: 0, failed: 0, lost: 0, lateEnds: 0 },
  reports: new Map(reports.map((one, index) => [`worker ${index}`, one])),
  ...more,
});

const job = (id: string, more: Partial<WaitingForServer['asked']> = {}): WaitingForServer => ({
  ...{ id, since: 0, refusedBy: {}, attempt: 1 },
  asked: { shape: 'a', models: [], needs: 'a', guessMs: 1_000, guessLoadMs: 0, tags: [], ...more },
});

const snapshot = (servers: readonly KnownServer[], first: readonly WaitingForServer[]): QueueSnapshot => ({
  ...{ now: 1_000, isPaused: false, own: [], waiting: first.length, first },
  servers: new Map(servers.map((one) => [one.name, one])),
});

const places = (at: QueueSnapshot) => placeJobs(at, { placement: earliestEnd, times: runTimes() });
const given = (at: QueueSnapshot) => places(at).given.map(([{ id }, name]) => `${id} to ${name}`);

describe('the choice of servers for the jobs of a queue', () => {
  it('law: gives each job once, in turn, only to servers that can run it, and never more than their slots', () => {
    const facts = fc.record({
      ...{ isUp: fc.boolean(), slots: fc.integer({ min: 1, max: 3 }), uses: fc.integer({ min: 0, max: 3 }) },
      ...{ mode: fc.constantFrom('active', 'paused', 'draining'), can: fc.constantFrom('', 'it lacks it') },
    });
    const kinds = fc.array(fc.constantFrom('a', 'b'), { maxLength: 12 });
    fc.assert(
      fc.property(fc.array(facts, { minLength: 1, maxLength: 5 }), kinds, (all, needs) => {
        const servers = all.map(({ isUp, slots, uses, mode, can }, index) =>
          server(`s${index}`, [report({ isUp, takes: isUp, slots, can: { a: '', b: can } })], {
            mode: mode,
            uses: Array.from({ length: uses }, (_, at) => ({ id: `${at}`, at: 0, ms: 5_000 })),
          }),
        );
        const jobs = needs.map((need, index) => job(`${index}`, { needs: need, shape: need }));
        const found = places(snapshot(servers, jobs)).given;
        expect(new Set(found.map(([{ id }]) => id)).size).toBe(found.length);
        for (const [index, { slots, uses, mode, isUp, can }] of all.entries()) {
          const own = found.filter(([, name]) => name === `s${index}`);
          const room = mode === 'active' && isUp ? Math.max(0, slots - uses) : 0;
          expect(own.length).toBeLessThanOrEqual(room);
          if (can !== '') expect(own.every(([{ asked }]) => asked.needs === 'a')).toBe(true);
        }
        for (const kind of ['a', 'b']) {
          const ids = found.filter(([{ asked }]) => asked.needs === kind).map(([{ id }]) => Number(id));
          const first = jobs.filter(({ asked }) => asked.needs === kind).slice(0, ids.length);
          expect(ids.toSorted((one, other) => one - other)).toEqual(first.map(({ id }) => Number(id)));
        }
      }),
    );
  });

  it('counts the fewest slots that workers report of one server, and gives nothing while the queue is paused', () => {
    const shared = server('s', [report({ slots: 2 }), report({ slots: 1 })]);
    const jobs = [job('1'), job('2')];
    expect(given(snapshot([shared], jobs))).toEqual(['1 to s']);
    expect(places({ ...snapshot([shared], jobs), isPaused: true })).toEqual({
      given: [],
      refused: [],
      unknown: [],
      broken: [],
    });
  });

  it('tells the choice how long each server is busy: what its jobs have left, shared by its slots', () => {
    const uses = [
      { id: 'x', at: 500, ms: 2_000 },
      { id: 'y', at: 1_000, ms: 700 },
    ];
    const seen: unknown[] = [];
    placeJobs(
      snapshot([server('free', [report()]), server('full', [report({ slots: 2 })], { uses })], [job('1')]),
      {
        placement: (_, servers) =>
          void seen.push(...servers.map(({ name, hasRoom, workMs }) => [name, hasRoom, workMs])),
        times: runTimes(),
      },
    );
    expect(seen).toEqual([
      ['free', true, 0],
      ['full', false, (1_500 + 700) / 2],
    ]);
  });

  it('knows servers that only other workers bring: a job waits for a quicker one', () => {
    const times = runTimes();
    const work = { ...job('1').asked, classes: [] };
    for (const [name, ms] of [
      ['slow', 60_000],
      ['quick', 1_000],
    ] as const)
      times.learn(name, work, [], ms);
    const busy = server('quick', [report()], { uses: [{ id: 'x', at: 500, ms: 2_000 }] });
    const at = snapshot([server('slow', [report()]), busy], [job('1')]);
    expect(placeJobs(at, { placement: earliestEnd, times }).given).toEqual([]);
  });

  it('refuses a job that no server can run, with the reasons, and not while one that is away may', () => {
    const lacks = server('s', [report({ can: { a: 'no class X' } })]);
    const untagged = server('t', [report()]);
    const asked = job('1', { tags: ['big'] });
    expect(places(snapshot([lacks], [job('1')])).refused).toEqual([[job('1'), 'no class X']]);
    expect(places(snapshot([lacks, untagged], [asked])).refused.map(([, reason]) => reason)).toEqual([
      'it lacks the tag big',
    ]);
    const refusedBy = { ...job('1'), refusedBy: { t: 'BadRequest: no' } };
    expect(places(snapshot([lacks, untagged], [refusedBy])).refused.map(([, reason]) => reason)).toEqual([
      'No server of the queue can run the workflow. s: no class X; t: BadRequest: no',
    ]);
    const away = server('u', [], { last: report({ isUp: false }) });
    expect(places(snapshot([lacks, away], [job('1')])).refused).toEqual([]);
  });

  it('prefers servers on which such work did not fail just now, by any worker, and takes the others where no other is left', () => {
    const fails = server('fails', [report(), report({ failing: ['b', 'a'] })]);
    const well = server('well', [report()], { uses: [{ id: 'x', at: 500, ms: 60_000 }] });
    expect(given(snapshot([fails, well], [job('1'), job('2', { shape: 'c' })]))).toEqual(['2 to fails']);
    expect(given(snapshot([fails], [job('1')]))).toEqual(['1 to fails']);
    const lacks = server('lacks', [report({ can: { a: 'no class X' } })]);
    expect(given(snapshot([fails, lacks], [job('1')]))).toEqual(['1 to fails']);
  });

  it('asks servers of which it does not know whether they can run a job', () => {
    const at = snapshot([server('s', [report({ can: {} })]), server('t', [report()])], [job('1')]);
    expect(places(at)).toMatchObject({ unknown: [[{ id: '1' }, 's']], given: [[{ id: '1' }, 't']] });
    expect(given(snapshot([server('s', [report({ can: {} })])], [job('2', { needs: '' })]))).toEqual([
      '2 to s',
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { brokenClients } from '../simulation/broken-clients.js';
import { drawSchedule } from '../simulation/draw-schedule.js';
import type { FaultKind } from '../simulation/faults/index.js';
import { judge } from '../simulation/invariants/index.js';
import { play } from '../simulation/play.js';
import { plainJob } from '../simulation/plain-job.js';
import type { Fault, Schedule } from '../simulation/schedule.js';
import { shrink } from '../simulation/shrink.js';
import { playOrders } from './event-orders.js';
import { cutSubmissions } from './no-duplicate-submissions.js';
import { silentStreams } from './silent-connections.js';
import { playSchedules } from './schedules.js';
import type { Tally } from './figure.js';

const small = { from: 1, count: 60 };
const found = ({ problems }: Tally): string =>
  problems.map((problem) => problem.slice(0, 3).trim()).join(' ');

/** Bugs within the source, which `hostile-frames`, `soak` and `determinism` find as well, are in test/mutants. */
describe('a planted bug', () => {
  it.each([
    ['submits again after a lost answer', 'I5'],
    ['never learns by asking', 'I1'],
    ['believes the socket against the record', 'I3'],
    ['leaves its sockets open', 'I7'],
    ['takes no refusal of a handshake for final', 'I10'],
    ['reports each end twice', 'I4'],
    ['never reports an end', 'I1'],
    ['throws what is not its own', 'I2'],
  ] as const)('is caught by random-fault-schedules: a client that %s (%s)', async (name, invariant) => {
    const violations: string[] = [];
    for (let seed = 1; seed <= small.count && !violations.some(breaks(invariant)); seed += 1)
      violations.push(
        ...judge(await play(drawSchedule(seed), brokenClients[name]), { strictly: true }).violations,
      );
    expect(violations.filter(breaks(invariant))).not.toEqual([]);
  });

  it('is caught by random-fault-schedules: a client that takes one 429 page for an inactive plan', async () => {
    const schedule = oneJob('a stray 429 without a type', { moment: 'connecting', dialect: 'cloud' });
    expect(judge(await play(schedule)).violations).toEqual([]);
    expect(
      judge(await play(schedule, brokenClients['takes one 429 page for an inactive plan'])).violations,
    ).toEqual([expect.stringContaining('was refused with SubscriptionInactive by one page of a proxy')]);
  });

  it('is caught by random-fault-schedules: a client that keeps one client id for all its sockets', async () => {
    const schedule = oneJob('line cut without a word', { moment: 'running', dialect: 'local' });
    expect(judge(await play(schedule)).violations).toEqual([]);
    expect(
      judge(await play(schedule, brokenClients['keeps one client id for all its sockets'])).violations,
    ).toContain('I10 two sockets at once under one client id');
  });

  it('is caught by random-fault-schedules: a client that never learns by asking, on a page that was frozen', async () => {
    const schedule = oneJob('page is hidden', { moment: 'running', dialect: 'cloud', platform: 'page' });
    expect(judge(await play(schedule)).violations).toEqual([]);
    expect(
      judge(await play(schedule, brokenClients['never learns by asking'])).violations.filter(breaks('I1')),
    ).not.toEqual([]);
  });

  it.each([
    ['hears nothing before the answer', 14_000],
    ['never reports an end', 1],
    ['reports each end twice', 1],
    ['cancels what is only left', 14_000],
  ] as const)('is caught by event-orders: a client that %s', async (name, from) => {
    const { counts } = await playOrders({ from, count: 20 }, brokenClients[name]);
    expect(counts['violations']).toBeGreaterThan(0);
  });

  it.each([
    ['submits again after a lost answer', 'cloud'],
    ['submits again under another key', 'v2'],
  ] as const)('is caught by no-duplicate-submissions: a client that %s (%s)', async (name, dialect) => {
    const { counts } = await cutSubmissions(
      { from: 1, count: 42 },
      { makeClient: brokenClients[name], dialect },
    );
    expect(counts['duplicates']).toBeGreaterThan(0);
  });

  it.each([
    ['forgets at its close what was under way', 'not listed in recent'],
    ['drains without waiting', 'drain resolved before'],
    ['submits while it is drained', 'accepted 2 times'],
  ] as const)('is caught by no-duplicate-submissions: a client that %s', async (name, problem) => {
    const { problems } = await cutSubmissions({ from: 1, count: 42 }, { makeClient: brokenClients[name] });
    expect(problems.join()).toContain(problem);
  });

  it('is caught by silent-connections: a client that never learns by asking', async () => {
    expect(
      found(await silentStreams({ from: 1, count: 4 }, brokenClients['never learns by asking'])),
    ).not.toBe('');
  });

  it('is caught by random-commands: a client that leaves its sockets open', async () => {
    const tally = await playSchedules(
      { id: 'random-commands', draw: drawSchedule, makeClient: brokenClients['leaves its sockets open'] },
      { from: 1, count: 3 },
    );
    expect(found(tally)).toContain('I7');
    expect(tally.problems[0]).toContain('npm run replay -- random-commands --seed');
  });

  it('leaves the smallest schedule that still fails', async () => {
    const makeClient = brokenClients['never reports an end'];
    const drawn = drawSchedule(7);
    expect(drawn.jobs.length).toBeGreaterThan(1);
    expect(drawn.faults.length).toBeGreaterThan(1);
    const shrunk = await shrink(drawn, makeClient);
    expect(shrunk.jobs).toHaveLength(1);
    expect(shrunk.faults).toEqual([]);
    expect(judge(await play(shrunk, makeClient)).violations).not.toEqual([]);
  });
});

/** One job that takes half a minute, and one fault. */
const oneJob = (
  kind: FaultKind,
  {
    moment,
    dialect,
    platform = 'node',
  }: Pick<Fault, 'moment'> & Pick<Schedule, 'dialect'> & Partial<Schedule>,
): Schedule => ({
  seed: 1,
  dialect,
  platform,
  jobs: [{ ...plainJob(0), startsAt: 600, via: 'run', nodes: 3, stepMs: 5_000 }],
  faults: [{ index: 0, kind, job: 0, moment, afterMs: 0, size: 0.9 }],
});

const breaks =
  (invariant: string) =>
  (violation: string): boolean =>
    violation.startsWith(`${invariant} `);

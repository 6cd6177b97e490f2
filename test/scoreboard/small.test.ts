import { describe, expect, it } from 'vitest';
import { addTallies } from './add-tallies.js';
import { derivedFigures, figures, groups } from './board.js';
import { reportRange } from './report-range.js';
import { interleavings } from '../simulation/interleavings.js';
import { faultKinds } from '../simulation/faults/index.js';
import { localFaultKinds } from '../simulation/local/draw-local.js';
import { moments } from '../simulation/schedule.js';
import { v2FaultKinds } from '../simulation/v2/draw-v2.js';

/**
 * A smaller count of each figure; the whole is `npm run scoreboard`. The tests of the mutants play `planted-mutants`;
 * those that need a Redis server play the figures of the queue, and those that need Chromium `watched-in-a-page`.
 */
const counts: Readonly<Record<string, number>> = {
  'random-fault-schedules': 10,
  'event-orders': 40,
  'random-commands': 10,
  'hostile-frames': 10_000,
  'no-duplicate-submissions': 40,
  'silent-connections': 30,
  'hostile-sizes': 1,
  'slow-subscriber': 50,
  'hostile-file-names': 1,
  'bad-networks': 32,
  'generated-engines': 30,
  'generated-clouds': 12,
  'spoiled-downloads': 30,
  'no-leaks': 30,
  'no-internal-addresses': 10,
  'command-line': 6,
  soak: 1,
  determinism: 3,
  'honest-time-left': 12,
  'many-large-jobs': 1,
  'outside-judge': 2,
  'secret-cases': 8,
  'sdk-through-the-gateway': 6,
  'resumed-streams': 12,
  'many-readers': 40,
  'stalled-readers': 200,
  'loop-turns': 1,
  'hostile-caller': 6,
  'killed-gateways': 5,
  'killed-stores': 4,
  'damaged-folders': 8,
  'one-key-one-job': 600,
  'secrets-and-walls': 400,
  webhooks: 8,
  'generated-workflows': 100,
  'hostile-graphs': 300,
  'hostile-files': 300,
  'hostile-workflows': 300,
  'validators-agree': 100,
  'workflows-in-code': 50,
  'pool-makespan': 2,
  'pool-failures': 20,
  'pool-size': 300,
  'pool-same-states': 2,
};
const smallFigures = figures.filter(
  ({ id }) =>
    !['planted-mutants', 'watched-in-a-page', 'pool-processes'].includes(id) && !groups.queue.includes(id),
);

/** Some of them start many programs. */
const patienceMs = 120_000;

describe('the scoreboard', () => {
  it.each(smallFigures.map((figure) => [figure.id, figure] as const))(
    '%s holds at a smaller count',
    async (id, figure) => {
      const { problems, seen } = await reportRange(figure, { from: 1, count: counts[id]! });
      expect(problems).toEqual([]);
      expect(seen).toMatchObject({ leaks: [], warnings: [], unhandled: [] });
    },
    patienceMs,
  );

  it('has every order of events once, and only those that causality allows', () => {
    let orders = 0;
    const seen = new Set<string>();
    for (const order of interleavings()) {
      orders += 1;
      seen.add(order.join());
      if (order.indexOf('reopen') < order.indexOf('drop')) throw new Error(order.join());
    }
    expect(orders).toBe(15_120);
    expect(seen.size).toBe(orders);
  });

  it('fault-coverage misses its target where a cell or a pair was not hit, and meets it where all were', () => {
    const coverage = derivedFigures.find(({ id }) => id === 'fault-coverage')!;
    const local = localFaultKinds.map((kind) => `local server, ${kind}`);
    const ofV2 = v2FaultKinds.map((kind) => `API v2, ${kind}`);
    const cells = Object.fromEntries(
      [faultKinds, local, ofV2].flatMap((kinds) => [
        ...kinds.flatMap((kind) => moments.map((moment) => [`${kind} @ ${moment}`, 5] as const)),
        ...kinds.flatMap((one) => kinds.map((other) => [`${one} + ${other}`, 1] as const)),
      ]),
    );
    const of = (cellsHit: Record<string, number>) =>
      coverage.derive(new Map([['random-fault-schedules', { counts: {}, problems: [], cells: cellsHit }]]))
        .problems;
    expect(of(cells)).toEqual([]);
    expect(of({ ...cells, 'socket reset @ before': 4 })).toHaveLength(1);
    expect(of({ ...cells, 'local server, socket reset @ before': 4 })).toHaveLength(1);
    const pair = 'local server, network is down + local server, socket reset';
    expect(of(Object.fromEntries(Object.entries(cells).filter(([name]) => name !== pair)))).toEqual([pair]);
    expect(faultKinds.length).toBeGreaterThanOrEqual(40);
    expect(localFaultKinds.length).toBeGreaterThanOrEqual(40);
    expect(v2FaultKinds.length).toBeGreaterThanOrEqual(40);
  });

  it('true-outcomes counts the jobs of three figures and misses its target by one wrong outcome or too few jobs', () => {
    const outcomes = derivedFigures.find(({ id }) => id === 'true-outcomes')!;
    const tally = (wrong: number, jobs: number) => ({
      counts: { jobs, lost: 0, wrong, doubled: 0 },
      problems: [],
    });
    const of = (wrong: number, jobs: number) =>
      outcomes.derive(
        new Map([
          ['random-fault-schedules', tally(wrong, jobs)],
          ['event-orders', tally(0, 30_000)],
          ['random-commands', tally(0, 10_000)],
        ]),
      );
    expect(of(0, 60_000)).toMatchObject({ counts: { jobs: 100_000 }, problems: [] });
    expect(of(1, 60_000).problems).toHaveLength(1);
    expect(of(0, 59_999).problems).toHaveLength(1);
  });

  it('adds tallies up, and takes the longest of what is the longest', () => {
    const sum = addTallies([
      { counts: { runs: 1, 'longest s': 3 }, problems: ['a'], cells: { x: 1 } },
      { counts: { runs: 2, 'longest s': 2 }, problems: [], cells: { x: 1, y: 1 } },
    ]);
    expect(sum).toEqual({ counts: { runs: 3, 'longest s': 3 }, problems: ['a'], cells: { x: 2, y: 1 } });
  });
});

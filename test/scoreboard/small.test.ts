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
 * A smaller count of each figure; the whole is `npm run scoreboard`. The tests of the mutants play S23; those that need a Redis
 * server play the figures of the queue, and those that need Chromium G9.
 */
const counts: Readonly<Record<string, number>> = {
  S1: 10,
  S3: 40,
  S4: 10,
  S5: 10_000,
  S7: 40,
  S10: 30,
  S14: 1,
  S13: 50,
  S16: 1,
  S11: 32,
  S17: 30,
  S12: 30,
  S18: 10,
  S21: 6,
  S22: 1,
  S25: 3,
  S26: 1,
  S27: 2,
  'S8 cases': 8,
  G1: 6,
  G2: 12,
  G3: 40,
  G4: 200,
  G5: 5,
  G6: 600,
  G7: 400,
  G8: 8,
  W1: 100,
  W2: 300,
  W3: 300,
  W4: 300,
  W5: 100,
  W8: 50,
};
const smallFigures = figures.filter(({ id }) => !['S23', 'G9'].includes(id) && !groups.queue.includes(id));

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

  it('has every order of S3 once, and only those that causality allows', () => {
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

  it('S2 misses its target where a cell or a pair was not hit, and meets it where all were', () => {
    const s2 = derivedFigures.find(({ id }) => id === 'S2')!;
    const local = localFaultKinds.map((kind) => `local server, ${kind}`);
    const ofV2 = v2FaultKinds.map((kind) => `API v2, ${kind}`);
    const cells = Object.fromEntries(
      [faultKinds, local, ofV2].flatMap((kinds) => [
        ...kinds.flatMap((kind) => moments.map((moment) => [`${kind} @ ${moment}`, 5] as const)),
        ...kinds.flatMap((one) => kinds.map((other) => [`${one} + ${other}`, 1] as const)),
      ]),
    );
    const of = (cellsOfS1: Record<string, number>) =>
      s2.derive(new Map([['S1', { counts: {}, problems: [], cells: cellsOfS1 }]])).problems;
    expect(of(cells)).toEqual([]);
    expect(of({ ...cells, 'socket reset @ before': 4 })).toHaveLength(1);
    expect(of({ ...cells, 'local server, socket reset @ before': 4 })).toHaveLength(1);
    const pair = 'local server, network is down + local server, socket reset';
    expect(of(Object.fromEntries(Object.entries(cells).filter(([name]) => name !== pair)))).toEqual([pair]);
    expect(faultKinds.length).toBeGreaterThanOrEqual(40);
    expect(localFaultKinds.length).toBeGreaterThanOrEqual(40);
    expect(v2FaultKinds.length).toBeGreaterThanOrEqual(40);
  });

  it('S6 counts the jobs of three figures and misses its target by one wrong outcome or too few jobs', () => {
    const s6 = derivedFigures.find(({ id }) => id === 'S6')!;
    const tally = (wrong: number, jobs: number) => ({
      counts: { jobs, lost: 0, wrong, doubled: 0 },
      problems: [],
    });
    const of = (wrong: number, jobs: number) =>
      s6.derive(
        new Map([
          ['S1', tally(wrong, jobs)],
          ['S3', tally(0, 30_000)],
          ['S4', tally(0, 10_000)],
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

import { faultKinds } from '../simulation/faults/index.js';
import { localFaultKinds } from '../simulation/local/draw-local.js';
import { moments } from '../simulation/schedule.js';
import { v2FaultKinds } from '../simulation/v2/draw-v2.js';
import type { DerivedFigure } from './figure.js';
import { cellKind } from './schedules.js';

const leastPerCell = 5;

/** How much of fault × moment, and of pairs of faults, `random-fault-schedules` reached in each dialect. */
export const faultCoverage: DerivedFigure = {
  id: 'fault-coverage',
  what: 'fault × moment coverage of random-fault-schedules',
  target:
    '≥ 40 faults in each dialect, each hit ≥ 5 times at each of 12 moments; all pairs of faults hit in each dialect',
  from: ['random-fault-schedules'],
  derive: (tallies) => {
    const cells = tallies.get('random-fault-schedules')?.cells ?? {};
    const reached = [
      reachedOf(cells, faultKinds),
      reachedOf(
        cells,
        localFaultKinds.map((kind) => cellKind(kind, 'local')),
      ),
      reachedOf(
        cells,
        v2FaultKinds.map((kind) => cellKind(kind, 'v2')),
      ),
    ];
    const sum = (of: (one: (typeof reached)[number]) => number): number =>
      reached.reduce((total, one) => total + of(one), 0);
    return {
      counts: {
        faults: faultKinds.length,
        'faults of a local server': localFaultKinds.length,
        'faults of API v2': v2FaultKinds.length,
        moments: moments.length,
        'cells hit': sum(({ cellsToHit, thin }) => cellsToHit - thin.length),
        'cells to hit': sum(({ cellsToHit }) => cellsToHit),
        'pairs hit': sum(({ pairsToHit, unmet }) => pairsToHit - unmet.length),
        'pairs to hit': sum(({ pairsToHit }) => pairsToHit),
      },
      problems: reached.flatMap(({ thin, unmet }) => [...thin, ...unmet]),
    };
  },
};

/** What of one dialect was hit too rarely, or never together. */
const reachedOf = (cells: Readonly<Record<string, number>>, kinds: readonly string[]) => {
  const thin = kinds.flatMap((kind) =>
    moments
      .map((moment) => [`${kind} @ ${moment}`, cells[`${kind} @ ${moment}`] ?? 0] as const)
      .filter(([, times]) => times < leastPerCell)
      .map(([cell, times]) => `${cell}: ${times}`),
  );
  const pairs = kinds.flatMap((one) =>
    kinds.filter((other) => one < other).map((other) => `${one} + ${other}`),
  );
  const unmet = pairs.filter((pair) => cells[pair] === undefined);
  return { cellsToHit: kinds.length * moments.length, pairsToHit: pairs.length, thin, unmet };
};

import { faultKinds } from '../simulation/faults/index.js';
import { moments } from '../simulation/schedule.js';
import type { DerivedFigure } from './figure.js';

const leastPerCell = 5;

/** S2: how much of fault × moment, and of pairs of faults, S1 reached. */
export const s2: DerivedFigure = {
  id: 'S2',
  what: 'fault × moment coverage of S1',
  target: '≥ 40 faults, each hit ≥ 5 times at each of 12 moments; all pairs of faults hit',
  from: ['S1'],
  derive: (tallies) => {
    const cells = tallies.get('S1')?.cells ?? {};
    const thin = faultKinds.flatMap((kind) =>
      moments
        .filter((moment) => (cells[`${kind} @ ${moment}`] ?? 0) < leastPerCell)
        .map((moment) => `${kind} @ ${moment}: ${cells[`${kind} @ ${moment}`] ?? 0}`),
    );
    const pairs = faultKinds.flatMap((one) =>
      faultKinds.filter((other) => one < other).map((other) => `${one} + ${other}`),
    );
    const unmet = pairs.filter((pair) => cells[pair] === undefined);
    return {
      counts: {
        faults: faultKinds.length,
        moments: moments.length,
        'cells hit': faultKinds.length * moments.length - thin.length,
        'cells to hit': faultKinds.length * moments.length,
        'pairs hit': pairs.length - unmet.length,
        'pairs to hit': pairs.length,
      },
      problems: [...thin, ...unmet],
    };
  },
};

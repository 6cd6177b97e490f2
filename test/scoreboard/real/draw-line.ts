import { randomOf } from '../../simulation/random.js';
import { drawJobs } from './draw-jobs.js';
import { type Draw, lineKinds } from './line-kinds.js';
import type { RealPlan } from './plan.js';

const kinds = Object.entries<Draw>(lineKinds);

/** A few jobs on a bad line: the kinds of faults in turn, and up to two more. */
export const drawLine = (seed: number): RealPlan => {
  const random = randomOf(seed, 11);
  const drawn = [
    kinds[seed % kinds.length]!,
    ...Array.from({ length: random.below(3) }, () => random.pick(kinds)),
  ];
  return {
    seed,
    hurry: 12,
    speed: random.pick([Infinity, 40, 10]),
    jobs: drawJobs(random, 3),
    strikes: drawn.map(([kind, draw], index) => ({ index, kind, ...draw(random) })),
  };
};

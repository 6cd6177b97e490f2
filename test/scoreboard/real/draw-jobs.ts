import type { Workflow } from '../../../src/core/protocol/workflow.js';
import type { Random } from '../../simulation/random.js';
import type { RealJob } from './plan.js';

/** A few jobs: some fail, some are cancelled, some were run before and come from the cache. */
export const drawJobs = (random: Random, most: number): readonly RealJob[] =>
  Array.from({ length: random.between(1, most) }, (_, index) => ({
    index,
    via: random.pick(['run', 'submit'] as const),
    workflow: workflowOf(random, index),
    cancels: random.chance(0.1),
  }));

/** Node ids say whose they are: those of job 2 are 300 and up. */
const workflowOf = (random: Random, index: number): Workflow => {
  const nodes = random.between(1, 3);
  const fails = random.chance(0.2) ? random.below(nodes) : undefined;
  return Object.fromEntries(
    Array.from({ length: nodes }, (_, node) => {
      const id = `${100 * (index + 1) + node}`;
      const steps = random.between(1, 6);
      const anything = node === 0 ? {} : { anything: [`${100 * (index + 1) + node - 1}`, 0] };
      return [
        id,
        node === fails
          ? {
              class_type: 'FailOnPurpose',
              inputs: { exception_type: 'ValueError', message: 'as ordered', steps },
            }
          : { class_type: 'SlowNode', inputs: { steps, ...anything } },
      ];
    }),
  );
};

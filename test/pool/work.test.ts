import { describe, expect, it } from 'vitest';
import { jobDurations } from '../../src/client/jobs/job-durations.js';
import { nodesToRun } from '../../src/core/state/initial-job-state.js';
import { virtualClock } from '../../src/testing/virtual-clock.js';
import type { Workflow } from '../../src/index.js';
import { workflowOf } from './engine.js';
import { workOf } from '../../src/client/pool/work.js';

/** A chain of so many nodes behind one loader. */
const chain = (count: number, model: string): Workflow => ({
  0: { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: model } },
  ...Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      at + 1,
      { class_type: 'Step', inputs: { from: [String(at), 0] } },
    ]),
  ),
});

describe('workOf', () => {
  it('is of one shape for other texts, and of another for other models and sizes', () => {
    const { shape } = workOf(workflowOf('one'));
    expect(workOf(workflowOf('two')).shape).toBe(shape);
    expect(workOf(workflowOf('one', { model: 'xl.safetensors' })).shape).not.toBe(shape);
    expect(workOf(workflowOf('one', { steps: 40 })).shape).not.toBe(shape);
  });

  it('tells graphs of thousands of nodes apart by what they need, and plans none of them', () => {
    const [one, other] = [chain(2_500, 'a.safetensors'), chain(2_500, 'b.safetensors')];
    expect(workOf(one).shape).not.toBe(workOf(other).shape);
    expect(workOf(one).models).toEqual(['a.safetensors']);
    const { plan } = jobDurations({ clock: virtualClock() }, undefined);
    expect(plan(one, nodesToRun(one))).toBeUndefined();
    expect(plan(chain(20, 'a'), nodesToRun(chain(20, 'a')))).toBeDefined();
  });
});

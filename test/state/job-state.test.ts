import { expect, it } from 'vitest';
import { initialJobState } from '../../src/state/initial-job-state.js';
import { type JobState, withMember } from '../../src/state/job-state.js';

/** `Required` makes the compiler ask for whatever a state gets besides. */
const whole: Required<JobState> = {
  ...initialJobState({ promptId: 'p1', phase: 'failed' }),
  nodes: { 3: { nodeId: '3', displayNodeId: '3', phase: 'failed', value: 1, max: 2, fraction: 0.5 } },
  nodeCount: 2,
  exactNodes: true,
  progress: 0.25,
  outputs: { 3: {} },
  outputsComplete: true,
  failure: { exceptionType: 'E', exceptionMessage: 'm', traceback: [], nodeErrors: {} },
  warnings: ['w'],
  startedAt: 1,
  endedAt: 2,
};

it.each(Object.keys(whole) as (keyof JobState)[])('withMember changes %s and keeps all else', (key) => {
  const value = 'another' as never;
  expect(withMember(whole, key, value)).toStrictEqual({ ...whole, [key]: value });
});

it('withMember adds no member that the state does not have', () => {
  const state = initialJobState({ promptId: 'p1' });
  expect(withMember(state, 'phase', 'in_progress')).toStrictEqual({ ...state, phase: 'in_progress' });
});

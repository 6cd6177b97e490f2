import { describe, expect, it } from 'vitest';
import { initialJobState } from '../../src/core/state/initial-job-state.js';
import type { JobPhase, JobState } from '../../src/core/state/job-state.js';
import { joinStates } from '../../src/core/state/join-states.js';

const node = (nodeId: string) => ({
  nodeId,
  displayNodeId: nodeId,
  phase: 'finished' as const,
  value: 1,
  max: 1,
  fraction: 1,
});
const file = (filename: string) => ({ filename, subfolder: '', type: 'output' });

const state = (more: Partial<JobState> = {}): JobState => ({
  ...initialJobState({ promptId: 'p', workflow: { 1: { class_type: 'A', inputs: {} } } }),
  ...more,
});
const joined = (known: Partial<JobState>, next: Partial<JobState>) => joinStates(state(known), state(next));

describe('a state that is joined with a newer one', () => {
  it('is the newer one itself where that comes of the same client', () => {
    const known = state({ phase: 'in_progress', progress: 0.5, nodes: { 1: node('1') } });
    for (const more of [
      {},
      { progress: 0.6 },
      { phase: 'completed' },
      { nodes: { 1: node('1'), 2: node('2') } },
    ] as const) {
      const next = { ...known, ...more };
      expect(joinStates(known, next)).toBe(next);
    }
  });

  it('N5 keeps what was found before the submission, where the newer one says nothing of it', () => {
    const problems = [{ type: 'rounded_integer', severity: 'warning', message: 'Rounded.' }] as const;
    const known = state({ problems });
    expect(joinStates(known, state({ phase: 'completed' })).problems).toBe(problems);
    expect(joinStates(known, state({ problems: [] })).problems).toEqual([]);
  });

  it('never goes back in its phase or its progress', () => {
    const order: readonly JobPhase[] = ['submitting', 'pending', 'in_progress', 'completed'];
    for (const [one, first] of order.entries())
      for (const [two, second] of order.entries())
        expect(joined({ phase: first }, { phase: second }).phase).toBe(order[Math.max(one, two)]);
    expect(joined({ phase: 'failed' }, { phase: 'completed' }).phase).toBe('completed');
    expect(joined({ progress: 0.5 }, { progress: 0.2 }).progress).toBe(0.5);
    expect(joined({ progress: 0.2 }, { progress: 0.5 }).progress).toBe(0.5);
  });

  it('keeps outputs and nodes that the newer one lacks', () => {
    const outputs = { 1: { images: [file('a.png')] } };
    const more = { 2: { images: [file('b.png')] } };
    expect(joined({ outputs }, { outputs: more }).outputs).toEqual({ ...outputs, ...more });
    expect(joined({ outputs }, {}).outputs).toEqual(outputs);
    const nodes = joined(
      { nodes: { 1: node('1'), 2: node('2') } },
      { nodes: { 2: { ...node('2'), value: 9 } } },
    ).nodes;
    expect(nodes).toEqual({ 1: node('1'), 2: { ...node('2'), value: 9 } });
    expect(Object.getPrototypeOf(nodes)).toBeNull();
  });

  it('keeps what else the newer one lacks, and unites the warnings', () => {
    const bare = { ...initialJobState({ promptId: 'p' }), warnings: ['b', 'c'] as never };
    const known = state({ nodeCount: 7, startedAt: 5, warnings: ['a', 'b'] as never });
    expect(joinStates(known, bare)).toMatchObject({ nodeCount: 7, startedAt: 5, warnings: ['a', 'b', 'c'] });
    const nodeErrors = { 1: { classType: 'A', dependentOutputs: [], errors: [] } };
    const other = { 2: { classType: 'B', dependentOutputs: [], errors: [] } };
    expect(joined({ nodeErrors, progress: 1 }, {}).nodeErrors).toEqual(nodeErrors);
    expect(joined({ nodeErrors, progress: 1 }, { nodeErrors: other }).nodeErrors).toEqual(other);
  });
});

import { describe, expect, it } from 'vitest';
import { initialJobState } from '../../../src/protocol/state/initial-job-state.js';

const node = { class_type: 'A', inputs: {} };

describe('initialJobState', () => {
  it('knows nothing', () => {
    expect(initialJobState()).toEqual({
      promptId: '',
      phase: 'submitting',
      nodes: {},
      progress: 0,
      outputs: {},
      outputsComplete: false,
      nodeErrors: {},
      warnings: [],
    });
  });

  it('is pending where the job has an id, unless told otherwise', () => {
    expect(initialJobState({ promptId: 'job' }).phase).toBe('pending');
    expect(initialJobState({ promptId: 'job', phase: 'in_progress' }).phase).toBe('in_progress');
    expect(initialJobState({ promptId: 'job', phase: 'completed' }).progress).toBe(1);
  });

  it('counts the nodes of the workflow', () => {
    expect(initialJobState({ workflow: { '1': node, '2': node } }).nodeCount).toBe(2);
    expect('nodeCount' in initialJobState()).toBe(false);
  });

  it('has objects without a prototype for whatever has ids from outside', () => {
    const { nodes, outputs, nodeErrors } = initialJobState();
    for (const object of [nodes, outputs, nodeErrors]) expect(Object.getPrototypeOf(object)).toBeNull();
  });
});

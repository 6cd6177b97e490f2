import { aJob } from './a-job.js';
import { describe, expect, it } from 'vitest';
import type { NodeState } from '../../../src/core/state/job-state.js';
import { progressDocument } from '../../../src/server/gateway/v2/progress-document.js';

const node = (nodeId: string, more: Partial<NodeState> = {}): NodeState => ({
  ...{ nodeId, displayNodeId: nodeId, phase: 'running', value: 0, max: 0, fraction: 0 },
  ...more,
});
const workflow = {
  3: { class_type: 'KSampler', inputs: {} },
  9: { class_type: 'SaveImage', inputs: {} },
};
const of = (state: NonNullable<Parameters<typeof aJob>[1]>) => progressDocument(aJob({ workflow }, state));

describe('the progress of a job in API v2', () => {
  it('is none before it runs, and of one that ended before it ran', () => {
    for (const phase of ['submitting', 'pending', 'failed', 'cancelled', 'untraceable'] as const)
      expect(of({ phase })).toBeNull();
    expect(of({ phase: 'in_progress' })).toEqual({ value: 0, nodes_done: 0, nodes_total: 0 });
    expect(of({ phase: 'completed' })).toEqual({ value: 1, nodes_done: 0, nodes_total: 0 });
    // What has run is told of also where the job did not complete.
    expect(of({ phase: 'failed', progress: 0.5, nodes: { 3: node('3', { phase: 'failed' }) } })).toEqual({
      ...{ value: 0.5, nodes_done: 0, nodes_total: 1 },
    });
  });

  it('counts the nodes that are done, of all that the service tells, and of all of them where it completed', () => {
    const nodes = {
      1: node('1', { phase: 'finished' }),
      2: node('2', { phase: 'cached' }),
      3: node('3', { phase: 'running' }),
      4: node('4', { phase: 'stopped' }),
    };
    expect(of({ phase: 'in_progress', nodes, nodeCount: 9, progress: 0.25 })).toMatchObject({
      ...{ value: 0.25, nodes_done: 2, nodes_total: 9 },
    });
    expect(of({ phase: 'in_progress', nodes, nodeCount: 3 })).toMatchObject({ nodes_total: 4 });
    expect(of({ phase: 'completed', nodes, nodeCount: 9, progress: 0.5 })).toEqual({
      ...{ value: 1, nodes_done: 9, nodes_total: 9 },
    });
    expect(of({ phase: 'in_progress', progress: 1.5 })).toMatchObject({ value: 1 });
    expect(of({ phase: 'in_progress', progress: -1 })).toMatchObject({ value: 0 });
  });

  it('names the node that runs, its class, its steps and its text', () => {
    const nodes = {
      9: node('9', { phase: 'finished', value: 1.5, max: 3.5 }),
      3: node('3', { value: 2.9, max: 19.2, text: 'sampling' }),
    };
    expect(of({ phase: 'in_progress', nodes })).toMatchObject({
      ...{ current_node: '3', current_node_class: 'KSampler', step: 2, steps: 20, message: 'sampling' },
    });
    const bare = of({ phase: 'in_progress', nodes: { 9: node('9', { text: '' }) } });
    expect(bare).toEqual({
      ...{ value: 0, nodes_done: 0, nodes_total: 1, current_node: '9', current_node_class: 'SaveImage' },
    });
  });

  it('names the node of the workflow that stands for one inside of it', () => {
    const inside = of({ phase: 'in_progress', nodes: { '9:4': node('9:4', { displayNodeId: '9' }) } });
    expect(inside).toMatchObject({ current_node: '9', current_node_class: 'SaveImage' });
    const unknown = of({ phase: 'in_progress', nodes: { x: node('x', { displayNodeId: 'toString' }) } });
    expect(unknown).toMatchObject({ current_node: 'x' });
    expect(unknown).not.toHaveProperty('current_node_class');
  });
});

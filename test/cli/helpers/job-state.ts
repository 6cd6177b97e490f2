import type { JobState } from '../../../src/node.js';

type NodeState = JobState['nodes'][string];

/** A node as it runs; half done by default. */
export const nodeState = (nodeId: string, parts: Partial<NodeState> = {}): NodeState => ({
  nodeId,
  displayNodeId: nodeId,
  phase: 'running',
  value: 10,
  max: 20,
  fraction: 0.5,
  ...parts,
});

/** A running job with these nodes. */
export const jobState = (nodes: readonly NodeState[], parts: Partial<JobState> = {}): JobState => ({
  promptId: 'job-1',
  phase: 'in_progress',
  nodes: Object.fromEntries(nodes.map((node) => [node.nodeId, node])),
  progress: 0.45,
  outputs: {},
  outputsComplete: false,
  nodeErrors: {},
  warnings: [],
  ...parts,
});

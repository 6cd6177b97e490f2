import type { JobState, NodeState } from './job-state.js';

/** Below 1 until the job is completed: the service has work to do after the last node. */
const mostBeforeEnd = 0.99;

/** The node as known, or as it is before its first event. */
export const knownNode = (state: JobState, nodeId: string, displayNodeId?: unknown): NodeState => {
  const node = state.nodes[nodeId] ?? {
    nodeId,
    displayNodeId: nodeId,
    phase: 'running',
    value: 0,
    max: 0,
    fraction: 0,
  };
  return typeof displayNodeId !== 'string' || displayNodeId === '' || displayNodeId === node.displayNodeId
    ? node
    : { ...node, displayNodeId };
};

/** Steps as a server told them, which may be anything; those that lie behind what is known change nothing. */
export const withSteps = (node: NodeState, toldValue: unknown, toldMax: unknown): NodeState => {
  if (node.phase !== 'running') return node;
  const max = amount(toldMax) || node.max;
  const value = max > 0 ? Math.min(amount(toldValue), max) : amount(toldValue);
  const isBehind = value < node.value || (value === node.value && max <= node.max);
  return isBehind
    ? node
    : { ...node, value, max, fraction: max > 0 ? Math.max(node.fraction, value / max) : node.fraction };
};

/** A node runs once within a job: what is settled stays so. */
export const settled = (node: NodeState, phase: 'finished' | 'cached' | 'failed'): NodeState => {
  if (node.phase !== 'running') return node;
  return phase === 'failed'
    ? { ...node, phase }
    : { ...node, phase, value: Math.max(node.value, node.max), fraction: 1 };
};

export const withText = (node: NodeState, text: string): NodeState =>
  node.text === text ? node : { ...node, text };

/** The nodes that run, as finished. */
export const runningAsFinished = (state: JobState): readonly NodeState[] =>
  Object.values(state.nodes)
    .filter(({ phase }) => phase === 'running')
    .map((node) => settled(node, 'finished'));

/** Puts nodes in their places; the same state where all of them are there already. */
export const putNodes = (state: JobState, put: readonly NodeState[]): JobState => {
  if (put.every((node) => state.nodes[node.nodeId] === node)) return state;

  const nodes = copyOf(state.nodes);
  for (const node of put) nodes[node.nodeId] = node;

  let seen = 0;
  let done = 0;
  for (const nodeId in nodes) {
    seen += 1;
    done += nodes[nodeId]?.fraction ?? 0;
  }
  const nodeCount = state.nodeCount === undefined ? undefined : Math.max(state.nodeCount, seen);
  // Of a job that was only followed the count is unknown: at least one more node is taken to come.
  const share = Math.min(mostBeforeEnd, done / (nodeCount ?? seen + 1));
  return {
    ...state,
    nodes,
    ...(nodeCount !== undefined && { nodeCount }),
    progress: Math.max(state.progress, share),
  };
};

/** Without a prototype, and yet no hash table, which V8 makes of what is created without one: that costs four times as much. */
const copyOf = (nodes: JobState['nodes']): Record<string, NodeState> =>
  Object.setPrototypeOf({ ...nodes }, null) as Record<string, NodeState>;

const amount = (told: unknown): number =>
  typeof told === 'number' && Number.isFinite(told) && told > 0 ? told : 0;

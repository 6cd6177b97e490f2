import type { JobState, NodeState } from './job-state.js';
import { withoutMember } from './without-member.js';

/** Below 1 until the job is completed: the service has work to do after the last node. */
const maxBeforeEnd = 0.99;

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

/** Takes in the steps that a server reports, which may be anything; steps behind the known ones change nothing. */
export const withSteps = (node: NodeState, reportedValue: unknown, reportedMax: unknown): NodeState => {
  if (node.phase !== 'running') return node;
  const max = amount(reportedMax) || node.max;
  const value = max > 0 ? Math.min(amount(reportedValue), max) : amount(reportedValue);
  const isBehind = value < node.value || (value === node.value && max <= node.max);
  if (isBehind) return node;
  return { ...node, value, max, fraction: max > 0 ? Math.max(node.fraction, value / max) : node.fraction };
};

/** A node runs once within a job: a node that is settled stays so. */
export const settled = (running: NodeState, phase: Exclude<NodeState['phase'], 'running'>): NodeState => {
  if (running.phase !== 'running') return running;
  const node = withActivity(running, undefined);
  return phase === 'failed' || phase === 'stopped'
    ? { ...node, phase }
    : { ...node, phase, value: Math.max(node.value, node.max), fraction: 1 };
};

/** The node that the job's failure names; this replaces a phase inferred from the order of events. */
export const failedNode = (node: NodeState): NodeState =>
  node.phase === 'failed' ? node : { ...node, phase: 'failed' };

/** The nodes that run within the expansion of a node: a failure names the node of the submitted workflow. */
export const runningWithin = (state: JobState, nodeId: string): readonly NodeState[] =>
  Object.values(state.nodes).filter((node) => node.phase === 'running' && isWithin(node, nodeId));

/** Whether a node came of the expansion of another one, at any depth. */
const isWithin = ({ nodeId, displayNodeId }: NodeState, outerId: string): boolean =>
  nodeId !== outerId && (displayNodeId === outerId || nodeId.startsWith(`${outerId}.`));

/** A running node with what it does while it makes no steps; an absent or odd value clears that. */
export const withActivity = (node: NodeState, reported: unknown): NodeState => {
  const activity = typeof reported === 'string' && reported !== '' ? reported : undefined;
  if (node.phase !== 'running' || node.activity === activity) return node;
  const idle = withoutMember(node, 'activity');
  return activity === undefined ? idle : { ...idle, activity };
};

export const withText = (node: NodeState, text: string): NodeState =>
  node.text === text ? node : { ...node, text };

/**
 * The nodes that run, as they are once they run no more; where `next` begins, without those that it came of: a node that expands runs
 * until the nodes within it have ended.
 */
export const runningAs = (
  state: JobState,
  phase: 'finished' | 'stopped',
  next?: NodeState,
): readonly NodeState[] =>
  Object.values(state.nodes)
    .filter((node) => node.phase === 'running' && !(next && isInner(next) && isWithin(next, node.nodeId)))
    .map((node) => settled(node, phase));

const isInner = ({ nodeId, displayNodeId }: NodeState): boolean => nodeId !== displayNodeId;

/** Puts nodes in their places; the same state where all of them are there already. */
export const putNodes = (state: JobState, put: readonly NodeState[]): JobState => {
  const changed = put.filter((node) => state.nodes[node.nodeId] !== node);
  if (changed.length === 0) return state;
  // Without a prototype `__proto__` is an id like any other.
  const nodes = Object.assign(Object.create(null), state.nodes) as Record<string, NodeState>;
  for (const node of changed) nodes[node.nodeId] = node;
  const all = Object.values(nodes);
  const done = all.reduce((sum, { fraction }) => sum + fraction, 0);
  const nodeCount = state.nodeCount === undefined ? undefined : Math.max(state.nodeCount, all.length);
  // The count is unknown for a job that was only followed: at least one more node is taken to come.
  const share = Math.min(maxBeforeEnd, done / (nodeCount ?? all.length + 1));
  return {
    ...state,
    nodes,
    ...(nodeCount !== undefined && { nodeCount }),
    progress: Math.max(state.progress, share),
  };
};

/**
 * The job as far as an event says that it is as a whole: `overall`, which a dialect adds where events do not name all nodes that have
 * run.
 */
export const withOverall = (state: JobState, { overall }: Readonly<Record<string, unknown>>): JobState => {
  const progress = Math.min(maxBeforeEnd, amount(overall));
  return progress > state.progress ? { ...state, progress } : state;
};

const amount = (reported: unknown): number =>
  typeof reported === 'number' && Number.isFinite(reported) && reported > 0 ? reported : 0;

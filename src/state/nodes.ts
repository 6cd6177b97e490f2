import { copyState, type JobState, type NodeState, noNodes } from './job-state.js';

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
    : belonging(node, displayNodeId);
};

const belonging = (node: NodeState, displayNodeId: string): NodeState => {
  const next = copyNode(node);
  next.displayNodeId = displayNodeId;
  return next;
};

/** Steps as a server told them, which may be anything; those that lie behind what is known change nothing. */
export const withSteps = (node: NodeState, toldValue: unknown, toldMax: unknown): NodeState => {
  if (node.phase !== 'running') return node;
  const max = amount(toldMax) || node.max;
  const value = max > 0 ? Math.min(amount(toldValue), max) : amount(toldValue);
  const isBehind = value < node.value || (value === node.value && max <= node.max);
  if (isBehind) return node;
  const next = copyNode(node);
  next.value = value;
  next.max = max;
  if (max > 0) next.fraction = Math.max(node.fraction, value / max);
  return next;
};

/** A node runs once within a job: what is settled stays so. */
export const settled = (node: NodeState, phase: 'finished' | 'cached' | 'failed'): NodeState => {
  if (node.phase !== 'running') return node;
  const next = copyNode(node);
  next.phase = phase;
  if (phase === 'failed') return next;
  next.value = Math.max(node.value, node.max);
  next.fraction = 1;
  return next;
};

/** The node that the job's failure names; this replaces a phase inferred from the order of events. */
export const failedNode = (node: NodeState): NodeState => {
  if (node.phase === 'failed') return node;
  const next = copyNode(node);
  next.phase = 'failed';
  return next;
};

export const withText = (node: NodeState, text: string): NodeState => {
  if (node.text === text) return node;
  const next = copyNode(node);
  next.text = text;
  return next;
};

type NewNode = { -readonly [Key in keyof NodeState]: NodeState[Key] };

/** Written out for the reason that `copyState` is. */
const copyNode = ({ nodeId, displayNodeId, phase, value, max, fraction, text }: NodeState): NewNode =>
  text === undefined
    ? { nodeId, displayNodeId, phase, value, max, fraction }
    : { nodeId, displayNodeId, phase, value, max, fraction, text };

/** The nodes that run, as finished. */
export const runningAsFinished = (state: JobState): readonly NodeState[] =>
  Object.values(state.nodes)
    .filter(({ phase }) => phase === 'running')
    .map((node) => settled(node, 'finished'));

/** Puts nodes in their places; the same state where all of them are there already. */
export const putNodes = (state: JobState, put: readonly NodeState[]): JobState => {
  const news = put.filter((node) => state.nodes[node.nodeId] !== node);
  const [first] = news;
  if (first === undefined) return state;
  const nodes = copyOf(state.nodes, first.nodeId);
  for (const node of news) nodes[node.nodeId] = node;
  return withNodes(state, nodes);
};

/** As {@link putNodes} with one node, which is what most events tell of. */
export const putNode = (state: JobState, node: NodeState): JobState => {
  const { nodeId } = node;
  if (state.nodes[nodeId] === node) return state;
  const nodes = copyOf(state.nodes, nodeId);
  nodes[nodeId] = node;
  return withNodes(state, nodes);
};

const withNodes = (state: JobState, nodes: JobState['nodes']): JobState => {
  const all = Object.values(nodes);
  let done = 0;
  for (const { fraction } of all) done += fraction;
  const next = copyState(state);
  next.nodes = nodes;
  if (state.nodeCount !== undefined) next.nodeCount = Math.max(state.nodeCount, all.length);
  // Of a job that was only followed the count is unknown: at least one more node is taken to come.
  const share = Math.min(mostBeforeEnd, done / (next.nodeCount ?? all.length + 1));
  next.progress = Math.max(state.progress, share);
  return next;
};

/**
 * The nodes once more, for this one to be put among them.
 *
 * Without a prototype, and yet no hash table, which V8 makes of what is created without one: that costs four times as much.
 */
const copyOf = (nodes: JobState['nodes'], nodeId: string): Record<string, NodeState> =>
  Object.setPrototypeOf(membersFor(nodes, nodeId), null) as Record<string, NodeState>;

const membersFor = (nodes: JobState['nodes'], nodeId: string): object => {
  // The empty nodes are a hash table, and after one such `...` would be slow, whatever it copies.
  if (nodes === noNodes && !isIndex(nodeId)) return {};
  // `Object.assign` would take a node of the name `__proto__` for the prototype, and the node would be gone.
  if (nodes[nodeId] !== undefined || nodes['__proto__'] !== undefined || !isIndex(nodeId))
    return { ...nodes };
  // Storing a number as a key makes room for sixteen more, in this and each later copy; `JSON.parse` makes none to spare.
  return Object.assign(JSON.parse(`{"${nodeId}":0}`) as object, nodes);
};

const isIndex = (nodeId: string): boolean => /^(0|[1-9]\d{0,5})$/.test(nodeId);

const amount = (told: unknown): number =>
  typeof told === 'number' && Number.isFinite(told) && told > 0 ? told : 0;

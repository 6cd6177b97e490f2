import { createNodeProgress, event, type NodeProgress, type ServiceMessage } from '../messages.js';
import { createNodeActivity, type NodeActivity } from './node-activity.js';
import { type Graph, type GraphNode, type Inputs, linksOf, planRun } from './graph.js';
import type { Job } from './job.js';
import type { NodeClass, NodeResult } from '../engine/node-class.js';
import { originOf } from './subgraph.js';
import type { RunEnvironment } from './run-environment.js';
import { withAssetIds } from './shown-result.js';

/** What one run of a job knows so far. */
export interface RunState {
  readonly job: Job;
  readonly environment: RunEnvironment;
  /** The nodes of the workflow, and those of its subgraphs so far. */
  readonly nodes: Map<string, GraphNode>;
  /** The results of nodes that have run, or were known before. */
  readonly known: Map<string, NodeResult>;
  readonly progress: NodeProgress;
  readonly activity: NodeActivity;
  /** The ids of nodes that have run. */
  readonly executed: string[];
  readonly keyOf: (nodeId: string) => string;
}

/** A run that has not begun. */
export const createRunState = (
  job: Job,
  environment: RunEnvironment,
  keyOf: (nodeId: string) => string,
): RunState => {
  const progress = createNodeProgress(job.id, (nodeId) => originOf(job.origins, nodeId));
  const { switches, now, send } = environment;
  return {
    job,
    environment,
    keyOf,
    nodes: new Map(job.graph),
    known: new Map(),
    progress,
    activity: createNodeActivity({
      isSent: switches.openWork,
      now,
      send: (nodeId, more) => send(progress.show(nodeId, more)),
    }),
    executed: [],
  };
};

/** The class of a node. */
export const classOf = ({ environment }: RunState, node: GraphNode | undefined): NodeClass | undefined =>
  environment.nodeClasses.get(node?.classType ?? '');

/** Whether a node may be a root of execution. */
export const isOutputNode = (state: RunState, nodeId: string): boolean =>
  classOf(state, state.nodes.get(nodeId))?.definition({ inputs: [] }).output_node === true;

/** The nodes that have to run for these, each after what it needs; what is behind a lazy input is left to its node. */
export const orderOf = (state: RunState, targets: readonly string[]): readonly string[] => {
  const { known, nodes } = state;
  const eager: Graph = new Map([...nodes].map(([nodeId, node]) => [nodeId, withoutLazyLinks(state, node)]));
  return planRun(
    eager,
    targets,
    (nodeId) => known.has(nodeId),
    (nodeId) => isOutputNode(state, nodeId),
  );
};

/** The nodes that have to run before this one, by what it wants of its lazy inputs now. */
export const wantedOf = (state: RunState, node: GraphNode, inputs: Inputs): readonly string[] => {
  const wanted = new Set(classOf(state, node)?.wants?.(inputs));
  const links = linksOf({ ...node, inputs: only(node.inputs, (name) => wanted.has(name)) });
  return links.map(([nodeId]) => nodeId).filter((nodeId) => !state.known.has(nodeId));
};

const withoutLazyLinks = (state: RunState, node: GraphNode): GraphNode => {
  const nodeClass = classOf(state, node);
  if (nodeClass?.wants === undefined) return node;
  const { required, optional } = nodeClass.definition({ inputs: [] }).input;
  const isLazy = (name: string): boolean => ({ ...required, ...optional })[name]?.[1]?.['lazy'] === true;
  return { ...node, inputs: only(node.inputs, (name) => !isLazy(name)) };
};

const only = (inputs: GraphNode['inputs'], keeps: (name: string) => boolean): GraphNode['inputs'] =>
  Object.fromEntries(Object.entries(inputs ?? {}).filter(([name]) => keeps(name)));

/** The event of a node's output; a cached output node without UI output has `output: null`. */
export const executedEvent = (
  { job, environment }: Pick<RunState, 'job' | 'environment'>,
  nodeId: string,
  ui: NodeResult['ui'] | null,
): ServiceMessage => {
  const output = ui && withAssetIds(ui, environment.assetId);
  if (output) job.outputs.set(nodeId, output);
  const { displayId } = originOf(job.origins, nodeId);
  return event('executed', { node: nodeId, display_node: displayId, output, prompt_id: job.id });
};

import { blockOf, describeInputs, type GraphNode, type Inputs, resolveInputs } from './graph.js';
import { checkPrefix } from '../engine/files/check-prefix.js';
import { errorData, failureOfNode } from './job.js';
import { event, type PreviewMetadata, type ServiceMessage } from '../messages.js';
import { executedEvent, isOutputNode, orderOf, type RunState, wantedOf } from './run-state.js';
import { expandedNodes, originOf } from './subgraph.js';
import { Interrupted, type NodeClass, type NodeContext, type NodeResult } from '../engine/node-class.js';
import { needsOf } from './node-needs.js';
import { overLists } from './over-lists.js';
import type { RunEnd } from './run-environment.js';
import { shownResult } from './shown-result.js';

/** Runs nodes in order, and what they need or become besides; the end of a run that did not come through them all. */
export const runNodes = async (state: RunState, order: readonly string[]): Promise<RunEnd | undefined> => {
  for (const nodeId of order) {
    // A lazy node may have asked for it before.
    if (state.known.has(nodeId)) continue;
    const end = await runNode(state, nodeId);
    if (end) return end;
  }
  return undefined;
};

const runNode = async (state: RunState, nodeId: string): Promise<RunEnd | undefined> => {
  const { known, job, environment, progress, executed } = state;
  const node = state.nodes.get(nodeId);
  const nodeClass = environment.nodeClasses.get(node?.classType ?? '');
  if (!node || !nodeClass) return undefined;
  let inputs: Inputs = {};
  try {
    for (let wanted: readonly string[] | undefined; wanted?.length !== 0;) {
      await environment.pace.turn(job.abort.signal);
      begin(state, nodeId);
      inputs = resolveInputs(node, known);
      wanted = wantedOf(state, node, inputs);
      const end = await runNodes(state, orderOf(state, wanted));
      if (end) return end;
    }
    const made = await execute(state, nodeId, { node, nodeClass, inputs });
    if (job.abort.signal.aborted) throw new Interrupted();
    const result = made.expand ? await runSubgraph(state, nodeId, made) : made;
    if ('_tag' in result) return result;
    executed.push(nodeId);
    known.set(nodeId, result);
    if (nodeClass.always !== true && job.graph.has(nodeId))
      environment.cache.set(state.keyOf(nodeId), result);
    if (result.ui) environment.send(executedEvent(state, nodeId, result.ui));
    environment.send(progress.finish(nodeId, state.activity.secondsOf(nodeId)));
    return undefined;
  } catch (error) {
    return endAt(state, nodeId, inputs, error);
  }
};

/** Tells that a node runs; one with lazy inputs begins anew after each node that it asked for. */
const begin = ({ job, environment: { send }, progress, activity }: RunState, nodeId: string): void => {
  activity.begin(nodeId);
  const { displayId } = originOf(job.origins, nodeId);
  send(progress.set(nodeId, 'running', 0, 1));
  send(event('executing', { node: nodeId, display_node: displayId, prompt_id: job.id }));
};

interface Runnable {
  readonly node: GraphNode;
  readonly nodeClass: NodeClass;
  readonly inputs: Inputs;
}

const execute = async (
  state: RunState,
  nodeId: string,
  { node, nodeClass, inputs }: Runnable,
): Promise<NodeResult> => {
  const block = blockOf(node, state.known);
  if (typeof block === 'string') state.environment.send(blockedEvent(state, nodeId, block));
  if (block !== undefined) return blockedResult;
  await state.environment.reserve?.(needsOf(inputs), state.job.abort.signal, (load) =>
    state.activity.whileLoading(nodeId, load),
  );
  const context = nodeContext(state, nodeId);
  const made = await overLists(nodeClass, inputs, (each) => nodeClass.execute(each, context));
  return shownResult(made, node.classType, state.environment);
};

/** Runs the nodes that a node became; its values are theirs. */
const runSubgraph = async (
  state: RunState,
  nodeId: string,
  { expand, ...made }: NodeResult,
): Promise<NodeResult | RunEnd> => {
  const { nodes, outputs } = expandedNodes(nodeId, expand ?? { nodes: {}, outputs: [] });
  const { displayId, realId } = originOf(state.job.origins, nodeId);
  for (const [id, node] of nodes) {
    state.nodes.set(id, node);
    state.job.origins.set(id, { displayId, parentId: nodeId, realId });
  }
  const targets = [
    ...outputs.map(([id]) => id),
    ...[...nodes.keys()].filter((id) => isOutputNode(state, id)),
  ];
  const end = await runNodes(state, orderOf(state, targets));
  return end ?? { ...made, values: outputs.map(([id, slot]) => state.known.get(id)?.values[slot]) };
};

/** The end of a run at a node: an error or an interruption names the node of the workflow, also inside of a subgraph. */
const endAt = (
  { job, nodes, executed }: RunState,
  nodeId: string,
  inputs: Inputs,
  error: unknown,
): RunEnd => {
  const { realId } = originOf(job.origins, nodeId);
  const nodeType = nodes.get(realId)?.classType ?? '';
  if (job.abort.signal.aborted) return { _tag: 'interrupted', nodeId: realId, nodeType, executed };
  return {
    _tag: 'failed',
    failure: failureOfNode(realId, nodeType, error),
    inputs: describeInputs(inputs),
    executed,
  };
};

/** A blocked node does not run, and blocks the consumers of its outputs without a message. */
const blockedResult: NodeResult = { values: [], blocked: null };

/** An error event that does not end the run: it goes on without the branch of this node. */
const blockedEvent = (
  { job, nodes, executed }: RunState,
  nodeId: string,
  message: string,
): ServiceMessage => {
  const { realId } = originOf(job.origins, nodeId);
  const failure = {
    node_id: realId,
    node_type: nodes.get(realId)?.classType ?? '',
    exception_message: `Execution Blocked: ${message}`,
    exception_type: 'ExecutionBlocked',
    traceback: [],
  };
  const current = { current_inputs: [], current_outputs: [] };
  return event('execution_error', errorData(job.id, failure, [...executed], current));
};

/** The environment of a running node. */
const nodeContext = (
  { job, progress, environment: { pace, send, files, switches, ffmpeg } }: RunState,
  nodeId: string,
): NodeContext => {
  const { displayId, parentId, realId } = originOf(job.origins, nodeId);
  const metadata: PreviewMetadata = {
    node_id: nodeId,
    prompt_id: job.id,
    display_node_id: displayId,
    parent_node_id: parentId,
    real_node_id: realId,
  };
  return {
    nodeId,
    prompt: job.prompt,
    extraPngInfo: asRecord(job.extraData['extra_pnginfo']),
    partnerKey: partnerKey(job.extraData),
    step: async (value, max, preview) => {
      await pace.step(job.abort.signal);
      send(progress.set(nodeId, 'running', value, max));
      if (preview) send({ kind: 'preview', layout: 4, metadata, picture: preview });
      send(event('progress', { value, max, prompt_id: job.id, node: nodeId }));
      if (preview) send({ kind: 'preview', layout: 1, metadata, picture: preview });
    },
    text: (text) => send({ kind: 'text', promptId: job.id, nodeId, text }),
    modelOutputs: switches.modelOutputs,
    ffmpeg: (task) => ffmpeg.run(task, job.abort.signal),
    save: (file) => {
      if (switches.fileNames === 'counter') checkPrefix(file.prefix);
      return files.save(file);
    },
    load: (name) => files.find(name)?.bytes,
    inputs: files.inputs,
  };
};

/** The documented field comes first, then the one of public examples. */
const partnerKey = (extraData: Readonly<Record<string, unknown>>): string | undefined =>
  ['api_key_partner_org', 'api_key_comfy_org']
    .map((field) => extraData[field])
    .find((key): key is string => typeof key === 'string' && key !== '');

const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};

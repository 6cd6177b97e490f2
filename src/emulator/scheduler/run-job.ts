import { blockOf, describeInputs, type GraphNode, type Inputs, planRun, resolveInputs } from './graph.js';
import { cacheKeys, type ResultCache } from './result-cache.js';
import {
  createNodeProgress,
  event,
  type EventData,
  type NodeProgress,
  type PreviewMetadata,
  type ServiceMessage,
} from '../messages.js';
import { errorData, type Failure, failureOfNode, type Job } from './job.js';
import type { FileStore } from '../store/file-store.js';
import { Interrupted, type NodeClass, type NodeContext, type NodeResult } from '../engine/node-class.js';
import type { Pace } from '../pace.js';
import type { Switches } from '../options.js';

/** How a run ended; `executed` names the nodes that were done by then. */
export type RunEnd =
  | { readonly _tag: 'success' }
  | {
      readonly _tag: 'interrupted';
      readonly nodeId: string;
      readonly nodeType: string;
      readonly executed: readonly string[];
    }
  | {
      readonly _tag: 'failed';
      readonly failure: Failure;
      readonly inputs: Readonly<Record<string, readonly unknown[]>>;
      readonly executed: readonly string[];
    };

/**
 * Executes a job's graph, one node at a time: reports cached nodes, runs what the outputs need and caches the results.
 * It sends the events up to the end of the last node; the caller sends the terminal event.
 */
export const runJob = async (job: Job, environment: RunEnvironment): Promise<RunEnd> => {
  const { cache, pace, send, record } = environment;
  const keyOf = cacheKeys(job.graph);
  cache.begin([...job.graph.keys()].map(keyOf));
  const known = new Map<string, NodeResult>();
  for (const nodeId of job.graph.keys()) {
    const result = cache.get(keyOf(nodeId));
    if (result) known.set(nodeId, result);
  }
  const isOutput = (nodeId: string): boolean => {
    const nodeClass = environment.nodeClasses.get(job.graph.get(nodeId)?.classType ?? '');
    return nodeClass?.definition({ inputs: [] }).output_node === true;
  };
  const plan = planRun(job.graph, job.targets, (nodeId) => known.has(nodeId), isOutput);
  const progress = createNodeProgress(job.id);
  const executed: string[] = [];

  record(job, 'execution_cached', { nodes: plan.cached, prompt_id: job.id });
  for (const nodeId of job.targets) {
    const result = known.get(nodeId);
    if (!result) continue;
    send(executedEvent(job, nodeId, result.ui ?? null));
    send(progress.finish(nodeId));
  }

  for (const nodeId of plan.order) {
    const node = job.graph.get(nodeId);
    const nodeClass = environment.nodeClasses.get(node?.classType ?? '');
    if (!node || !nodeClass) continue;
    const inputs = resolveInputs(node, known);
    const context = nodeContext(job, nodeId, progress, environment);
    const block = blockOf(node, known);
    try {
      await pace.turn(job.abort.signal);
      send(progress.set(nodeId, 'running', 0, 1));
      send(event('executing', { node: nodeId, display_node: nodeId, prompt_id: job.id }));
      if (typeof block === 'string') send(blockedEvent(job, nodeId, node, executed, block));
      const made = block === undefined ? await nodeClass.execute(inputs, context) : blockedResult;
      if (job.abort.signal.aborted) throw new Interrupted();
      executed.push(nodeId);
      const result = nameVideoKey(made, environment.switches);
      known.set(nodeId, result);
      if (nodeClass.always !== true) cache.set(keyOf(nodeId), result);
      if (result.ui) send(executedEvent(job, nodeId, result.ui));
      send(progress.finish(nodeId));
    } catch (error) {
      if (job.abort.signal.aborted)
        return { _tag: 'interrupted', nodeId, nodeType: node.classType, executed };
      const failure = failureOfNode(nodeId, node, error);
      return { _tag: 'failed', failure, inputs: describeInputs(inputs), executed };
    }
  }
  return { _tag: 'success' };
};

/** A cached output node without UI output has `output: null`. */
const executedEvent = (job: Job, nodeId: string, output: Inputs | null): ServiceMessage => {
  if (output) job.outputs.set(nodeId, output);
  return event('executed', { node: nodeId, display_node: nodeId, output, prompt_id: job.id });
};

/** A blocked node does not run, and blocks the consumers of its outputs without a message. */
const blockedResult: NodeResult = { values: [], blocked: null };

/** An error event that does not end the run: it goes on without the branch of this node. */
const blockedEvent = (
  job: Job,
  nodeId: string,
  node: GraphNode,
  executed: readonly string[],
  message: string,
): ServiceMessage =>
  event(
    'execution_error',
    errorData(
      job.id,
      {
        node_id: nodeId,
        node_type: node.classType,
        exception_message: `Execution Blocked: ${message}`,
        exception_type: 'ExecutionBlocked',
        traceback: [],
      },
      [...executed],
      { current_inputs: [], current_outputs: [] },
    ),
  );

/** Puts a saver's videos under `images` with `animated: [true]`, where the switch wants the older key. */
const nameVideoKey = (result: NodeResult, { videoKey }: Pick<Switches, 'videoKey'>): NodeResult => {
  if (videoKey === 'video' || !result.ui?.['video']) return result;
  const { video, ...others } = result.ui;
  return { ...result, ui: { ...others, images: video, animated: [true] } };
};

/** The environment of a running node. */
const nodeContext = (
  job: Job,
  nodeId: string,
  progress: NodeProgress,
  { pace, send, files }: RunEnvironment,
): NodeContext => {
  const metadata: PreviewMetadata = {
    node_id: nodeId,
    prompt_id: job.id,
    display_node_id: nodeId,
    parent_node_id: null,
    real_node_id: nodeId,
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
    save: files.save,
    load: (name) => files.find(name)?.bytes,
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

/** The dependencies of a run. */
export interface RunEnvironment {
  readonly nodeClasses: ReadonlyMap<string, NodeClass>;
  readonly switches: Pick<Switches, 'videoKey'>;
  readonly cache: ResultCache;
  readonly files: FileStore;
  readonly pace: Pace;
  readonly send: (message: ServiceMessage) => void;
  /** Sends an event with a timestamp and adds it to the job's history. */
  readonly record: (job: Job, type: string, data: EventData) => void;
}

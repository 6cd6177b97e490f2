import { isJsonObject } from '../protocol/json/json.js';
import { isLink, type Workflow } from '../protocol/workflow.js';
import { type JobPhase, type JobState, noNodes } from './job-state.js';
import { type NodeErrors, noNodeErrors } from './node-errors.js';
import { noOutputs } from './outputs.js';
import { socketSaversIn } from './socket-images.js';
import type { Problem } from '../protocol/problem.js';

/** Options of {@link initialJobState}. */
export interface InitialJobStateOptions {
  /** Default: the first job that an event names. */
  readonly promptId?: string | undefined;
  /** The submitted workflow; the number of its nodes that will run is the measure of the overall progress. */
  readonly workflow?: Workflow | undefined;
  /** The output nodes that were asked for; default all. */
  readonly targets?: readonly string[] | undefined;
  /** The branches that the service dropped at submission; they will not run. */
  readonly nodeErrors?: NodeErrors | undefined;
  /** What the check before the submission found. */
  readonly problems?: readonly Problem[] | undefined;
  /** Default `submitting`, with a `promptId` `pending`. */
  readonly phase?: JobPhase | undefined;
}

/**
 * Makes the state of a job before its first event; `stepJobState` takes it from there.
 *
 * @example
 * ```ts
 * import { initialJobState, stepJobState, type JobInput } from 'promptwire';
 *
 * const stateAfter = (events: readonly JobInput[]) => events.reduce(stepJobState, initialJobState());
 * ```
 */
export const initialJobState = (options: InitialJobStateOptions = {}): JobState =>
  stateOfNodes(options, nodesOfJob(options));

/** The nodes of the job that will run; undefined where the workflow is not known. */
export const nodesOfJob = ({
  workflow,
  nodeErrors,
  targets,
}: InitialJobStateOptions): readonly string[] | undefined =>
  isJsonObject(workflow) ? nodesToRun(workflow, nodeErrors, targets) : undefined;

/** What is known of a job whose nodes that will run are known. */
export interface StateOfNodesOptions extends InitialJobStateOptions, Partial<Pick<JobState, 'warnings'>> {
  readonly plan?: JobState['plan'] | undefined;
}

/** The same, of a workflow whose nodes that will run are known. */
export const stateOfNodes = (
  {
    promptId = '',
    workflow,
    nodeErrors = noNodeErrors,
    problems,
    phase = promptId === '' ? 'submitting' : 'pending',
    plan,
    warnings = [],
  }: StateOfNodesOptions,
  running: readonly string[] | undefined,
): JobState => {
  const socketSavers = running === undefined ? [] : socketSaversIn(workflow ?? {}, running);
  return {
    promptId,
    phase,
    nodes: noNodes,
    ...(running !== undefined && { nodeCount: running.length }),
    ...(plan !== undefined && { plan }),
    progress: phase === 'completed' ? 1 : 0,
    outputs: noOutputs,
    ...(socketSavers.length > 0 && { socketSavers }),
    outputsComplete: false,
    nodeErrors,
    ...(problems !== undefined && { problems }),
    warnings,
  };
};

/**
 * Lists the nodes of a workflow that will run: those that lead to an output, each output before what it takes something from.
 *
 * Only the service knows which nodes are outputs. A node whose results no other node takes counts as one, unless it takes
 * nothing either, or is among the outputs that the service dropped at submission. Where some of these have the name of an
 * output, only they count; where none is left, all nodes do. With `targets` these are the outputs.
 */
export const nodesToRun = (
  workflow: Workflow,
  nodeErrors: NodeErrors = {},
  targets?: readonly string[],
): readonly string[] => {
  const nodeIds = Object.keys(workflow);
  const sources = new Map(nodeIds.map((id) => [id, sourcesOf(workflow[id], workflow)]));
  const linked = new Set([...sources.values()].flat());
  const dropped = new Set(Object.values(nodeErrors).flatMap(({ dependentOutputs }) => dependentOutputs));
  const ends = nodeIds.filter((id) => !linked.has(id) && !dropped.has(id) && sources.get(id)?.length !== 0);
  const outputs = ends.filter((id) => hasOutputName(workflow[id]));
  const needed = new Set(targets?.filter((id) => !dropped.has(id)) ?? (outputs.length > 0 ? outputs : ends));
  // A set also goes through what is added meanwhile.
  for (const id of needed) for (const source of sources.get(id) ?? []) needed.add(source);
  return needed.size === 0 ? nodeIds : [...needed];
};

/**
 * Words by which the classes of output nodes are named, at the start of a word: `SaveImage`, `MaskPreview+`,
 * `easy showAnything`, `VHS_VideoCombine`. Other classes that combine (`ConditioningCombine`) are no outputs.
 */
const outputName =
  /Save|Preview|Show|Display|Send|Upload|Export|VideoCombine|\b(?:save|preview|show|display)/u;

const hasOutputName = (node: unknown): boolean =>
  isJsonObject(node) && typeof node['class_type'] === 'string' && outputName.test(node['class_type']);

/** The nodes that a node takes something from; none for a value that is not a node. */
const sourcesOf = (node: unknown, workflow: Workflow): readonly string[] =>
  isJsonObject(node) && isJsonObject(node['inputs'])
    ? Object.values(node['inputs'])
        .filter((value): value is readonly [string] => Array.isArray(value) && isLink(workflow, value))
        .map(([nodeId]) => nodeId)
    : [];

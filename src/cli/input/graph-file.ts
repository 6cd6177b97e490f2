import {
  type ConversionOptions,
  type Graph,
  type NodeDefinitions,
  readGraph,
  toApiWorkflow,
  type UiWorkflow,
} from '../../workflow.js';
import { orThrow, type Session } from '../run-command.js';
import { readJson, type TextSource } from './read-json.js';
import { serviceError, type Workflow } from '../../node.js';
import { differingNodes } from './differing-nodes.js';
import { messageOf } from '../error-message.js';
import { UsageError } from '../cli-io.js';
import type { WorkflowFile } from './workflow-file.js';

/** Which of two workflows of a file counts: the executed graph (`prompt`), or the editor's file. */
export type From = 'prompt' | 'workflow';

/**
 * Reads the text of a file as a workflow of either format; messages call the file by its name. Where the file holds the executed graph and
 * the editor's file, `from` chooses; where it does not and both differ, it warns.
 */
export const readGraphText = (
  { name, text, carrier }: Pick<WorkflowFile, 'name' | 'text' | 'carrier'>,
  { from, warn }: { readonly from?: From | undefined; readonly warn?: (message: string) => void } = {},
): Graph => {
  const read = readGraph(text);
  if (read._tag === 'Left') refuseWhatIsNoJson(name, text);
  const graph = orThrow(read);
  const ui = graph._tag === 'Ui' ? graph.workflow : (graph.ui ?? uiOfCarrier(carrier));
  const lacks = from === 'workflow' ? ui === undefined : from === 'prompt' && graph._tag === 'Ui';
  if (lacks)
    throw new UsageError(`${name} holds no ${from === 'prompt' ? 'executed graph' : "editor's file"}`);
  if (graph._tag === 'Ui' || ui === undefined) return graph;
  if (from === 'workflow') return { _tag: 'Ui', from: graph.from, workflow: ui, problems: [] };
  const nodes = from === undefined ? differingNodes(graph.workflow, ui) : [];
  if (nodes.length > 0) warn?.(differenceText(name, nodes));
  return { ...graph, ui };
};

/** The editor's file that a media file carries beside the graph. */
const uiOfCarrier = (carrier: WorkflowFile['carrier']): UiWorkflow | undefined => {
  const carried = carrier?.workflow === undefined ? undefined : readGraph(carrier.workflow.text);
  return carried?._tag === 'Right' && carried.right._tag === 'Ui' ? carried.right.workflow : undefined;
};

const differenceText = (name: string, nodes: readonly string[]): string => {
  const shown = `${nodes.slice(0, 5).join(', ')}${nodes.length > 5 ? ', …' : ''}`;
  return `the executed graph of ${name} and its editor's file differ (${nodes.length === 1 ? 'node' : 'nodes'} ${shown}): the graph is taken; --from workflow takes the file`;
};

const refuseWhatIsNoJson = (name: string, text: string): void => {
  try {
    JSON.parse(text.replace(/^\uFEFF/u, ''));
  } catch (error) {
    throw new UsageError(`${name} is not JSON: ${messageOf(error)}`);
  }
};

/** The definitions and options of a conversion in the command. */
export interface WorkflowOfGraph {
  readonly definitions: () => Promise<NodeDefinitions | undefined>;
  readonly options?: ConversionOptions;
}

/**
 * The workflow in API format: the graph's own, or the editor's converted by the definitions, which are asked for only then.
 * Reports warnings; throws `InvalidWorkflow` for what can't be converted.
 */
export const workflowOf = async (
  graph: Graph,
  { report }: Pick<Session, 'report'>,
  { definitions, options }: WorkflowOfGraph,
): Promise<Workflow> => {
  for (const { message } of graph.problems) report({ kind: 'warning', message });
  if (graph._tag === 'Api') return graph.workflow;
  const isEmpty = graph.workflow.nodes.length === 0;
  const known = isEmpty ? undefined : await definitions();
  const { workflow, problems } = toApiWorkflow(graph.workflow, known, options);
  for (const { severity, message } of problems)
    if (severity === 'warning') report({ kind: 'warning', message });
  if (workflow !== undefined && Object.keys(workflow).length > 0) return workflow;
  const errors = problems.filter(({ severity }) => severity === 'error').map(({ message }) => message);
  throw serviceError('InvalidWorkflow', {
    format: workflow === undefined ? 'ui' : 'empty',
    message:
      workflow === undefined
        ? `The editor's workflow can't be converted: ${errors.join(' ')}`
        : 'The workflow has no node that runs.',
    ...(workflow === undefined && {
      hint:
        known === undefined
          ? 'Name the node classes: --definitions FILE (an answer of object_info) where the command takes it, or the service by --base-url or PROMPTWIRE_BASE_URL.'
          : 'Change these nodes in the editor, or export the API format there.',
    }),
  });
};

/** Reads the node classes of a file that holds an answer of `object_info`. */
export const readDefinitions = async (file: string, source: TextSource): Promise<NodeDefinitions> => {
  const { value } = await readJson(file, source);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as NodeDefinitions;
  throw new UsageError(`${file} holds no node classes: it is no JSON object`);
};

/** The definitions of the service, for {@link workflowOf}. */
export const definitionsOfService =
  ({ connect, stop }: Pick<Session, 'connect' | 'stop'>) =>
  async (): Promise<NodeDefinitions> => {
    const { rest } = await connect();
    return orThrow(await rest.objectInfo({ signal: stop })());
  };

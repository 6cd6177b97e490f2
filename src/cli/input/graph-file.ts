import {
  type ConversionOptions,
  type Graph,
  type NodeDefinitions,
  readGraph,
  toApiWorkflow,
} from '../../workflow/index.js';
import { orThrow, type Session } from '../run-command.js';
import { readJson, type TextSource } from './read-json.js';
import { serviceError, type Workflow } from '../../node.js';
import { UsageError } from '../cli-io.js';

/** Reads the text of a file as a workflow of either format; messages call the file by its name. */
export const readGraphText = ({ name, text }: { readonly name: string; readonly text: string }): Graph => {
  const graph = readGraph(text);
  if (graph._tag === 'Left') refuseWhatIsNoJson(name, text);
  return orThrow(graph);
};

const refuseWhatIsNoJson = (name: string, text: string): void => {
  try {
    JSON.parse(text.replace(/^\uFEFF/u, ''));
  } catch (error) {
    throw new UsageError(`${name} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
};

/** What a conversion in the command needs. */
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
  const { workflow, problems } = toApiWorkflow(
    graph.workflow,
    isEmpty ? undefined : await definitions(),
    options,
  );
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
      hint: 'Change these nodes in the editor, or export the API format there.',
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

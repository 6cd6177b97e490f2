import { getOrThrow } from '../../core/protocol/either.js';
import { type Graph, readGraph } from '../../workflow/read-graph.js';
import type { McpService } from './service/mcp-service.js';
import { lacksClasses, workflowAsChecked } from '../../workflow/preflight/replace-classes.js';
import type { NodeDefinitions } from '../../workflow/definitions.js';
import type { Problem } from '../../core/protocol/problem.js';
import { toApiWorkflow } from '../../workflow/convert/to-api-workflow.js';
import { validateWorkflow } from '../../workflow/validate/validate-workflow.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** A workflow that was checked, as far as that was possible. */
export interface CheckedGraph {
  /** Undefined if it could not be converted. */
  readonly workflow: Workflow | undefined;
  readonly problems: readonly Problem[];
  /** Undefined if the service gives none: then nothing was checked. */
  readonly definitions: NodeDefinitions | undefined;
}

/** Reads what a model gives as a workflow. It is the thing itself: nothing is opened or fetched. Throws `InvalidWorkflow`. */
export const graphOf = (value: unknown): Graph => getOrThrow(readGraph(value));

/** Converts and checks a workflow by the node classes of the service. A file of the editor can't do without them. */
export const checkGraph = async (
  service: Pick<McpService, 'definitions' | 'replacements'>,
  graph: Graph,
): Promise<CheckedGraph> => {
  if (graph._tag === 'Api') {
    const definitions = await service.definitions().catch(() => undefined);
    const found = definitions === undefined ? [] : await problemsAt(service, graph.workflow, definitions);
    return { workflow: graph.workflow, problems: [...graph.problems, ...found], definitions };
  }
  const definitions = await service.definitions();
  const { workflow, problems } = toApiWorkflow(graph.workflow, definitions);
  const found = workflow === undefined ? [] : await problemsAt(service, workflow, definitions);
  return { workflow, problems: [...problems, ...found], definitions };
};

/** What the service would say of a workflow, after its replacements of classes. */
const problemsAt = async (
  { replacements }: Pick<McpService, 'replacements'>,
  workflow: Workflow,
  definitions: NodeDefinitions,
): Promise<readonly Problem[]> => {
  const table = lacksClasses(workflow, definitions) ? await replacements().catch(() => undefined) : undefined;
  return validateWorkflow(workflowAsChecked(workflow, definitions, table), definitions);
};

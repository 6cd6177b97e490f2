import { fileSystemError } from '../core/files/file-system-error.js';
import type { Files } from '../core/platform/platform.js';
import type { GenerateSource } from './generate-types.js';
import { getOrThrow } from '../core/protocol/either.js';
import { type Graph, readGraph } from '../workflow/read-graph.js';
import type { NodeDefinitions } from '../workflow/definitions.js';
import { serviceError } from '../core/errors/service-error.js';
import { toApiWorkflow } from '../workflow/convert/to-api-workflow.js';
import type { UiWorkflow } from '../workflow/convert/ui-workflow.js';
import type { Workflow } from '../core/protocol/workflow.js';
import { workflowIn } from '../workflow/metadata/workflow-in.js';

/** How files are opened, and where the classes of the service come from. */
export interface SourceContext {
  readonly files: Pick<Files, 'open'> | undefined;
  /** The classes of the service, which only a file of the editor needs. */
  readonly definitions: () => Promise<NodeDefinitions>;
}

/** Reads what a caller has of a workflow, and converts it where it is a file of the editor. Rejects with a `ServiceError`. */
export const readSource = async (
  { files, definitions }: SourceContext,
  source: GenerateSource,
): Promise<Workflow> => {
  const graph = await graphOf(files, source);
  return graph._tag === 'Api' ? graph.workflow : converted(graph.workflow, await definitions());
};

const graphOf = async (files: Pick<Files, 'open'> | undefined, source: GenerateSource): Promise<Graph> => {
  if (typeof source === 'string' && !isJsonText(source)) return graphInFile(await openPath(files, source));
  return isFile(source) ? graphInFile(source) : getOrThrow(readGraph(source));
};

const isJsonText = (text: string): boolean => /^\s*[{[]/u.test(text);

const isFile = (source: unknown): source is Blob | Uint8Array | ArrayBuffer =>
  source instanceof Blob || source instanceof Uint8Array || source instanceof ArrayBuffer;

const openPath = (files: Pick<Files, 'open'> | undefined, path: string): Promise<Blob> => {
  if (files !== undefined)
    return files.open(path).catch((cause: unknown) => {
      throw fileSystemError(cause, path);
    });
  const message = 'A path cannot be read here: there are no files. Pass the workflow, its text or a Blob.';
  throw serviceError('InvalidConfig', { option: 'workflow', message });
};

/** Of a picture or the like the graph that made it counts, else the editor's file. */
const graphInFile = async (file: Blob | Uint8Array | ArrayBuffer): Promise<Graph> => {
  const found = await workflowIn(file);
  if (found._tag === 'Found') {
    const text = (found.prompt ?? found.workflow)?.text;
    if (text !== undefined) return getOrThrow(readGraph(text));
  }
  // A record or a wrapper is JSON as well.
  const isJson = found._tag === 'None' && (found.format === 'json' || found.format === undefined);
  if (isJson) return getOrThrow(readGraph(await new Blob([file as BlobPart]).text()));
  const message = found._tag === 'Problem' ? found.problem.message : 'The file carries no workflow.';
  throw serviceError('InvalidWorkflow', { format: 'unknown', message });
};

const converted = (ui: UiWorkflow, definitions: NodeDefinitions): Workflow => {
  const { workflow, problems } = toApiWorkflow(ui, definitions);
  if (workflow !== undefined) return workflow;
  const errors = problems.filter(({ severity }) => severity === 'error').map(({ message }) => message);
  throw serviceError('InvalidWorkflow', {
    format: 'ui',
    problems,
    message: `The editor's workflow can't be converted: ${errors.join(' ')}`,
    hint: 'Change these nodes in the editor.',
  });
};

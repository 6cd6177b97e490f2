import { type Graph, type NodeDefinitions, type Problem, toApiWorkflow } from '../../workflow/index.js';
import type { Workflow } from '../../node.js';
import type { WorkflowFile } from '../input/workflow-file.js';

/** One node of an inspected workflow. */
export interface InspectedNode {
  readonly nodeId: string;
  readonly class: string;
  readonly title?: string;
  /** As in the API format: a value, or a link `[nodeId, slot]`. */
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** A file of a model that the workflow names. */
export interface InspectedModel {
  readonly name: string;
  /** The input that names it; absent where only the editor's file lists it. */
  readonly nodeId?: string;
  readonly input?: string;
}

/** What `promptwire inspect` says of a file. */
export interface Inspection {
  readonly file: string;
  /** The format of the file. */
  readonly format: string;
  /** What the file holds: the API format (`api`), the editor's (`ui`), or both. */
  readonly holds: readonly ('api' | 'ui')[];
  /** Of the editor's file, as it says. */
  readonly version?: number;
  readonly nodes: readonly InspectedNode[];
  readonly models: readonly InspectedModel[];
  readonly problems: readonly Pick<Problem, 'nodeId' | 'input' | 'type' | 'severity' | 'message'>[];
}

/** Describes a workflow without a service: an editor's file is converted by the definitions, or else by what it carries itself. */
export const inspect = (
  { name, carrier }: WorkflowFile,
  graph: Graph,
  definitions?: NodeDefinitions,
): Inspection => {
  const ui = graph._tag === 'Ui' ? graph.workflow : (graph.ui ?? carrier?.workflow?.value);
  const converted = graph._tag === 'Ui' ? toApiWorkflow(graph.workflow, definitions) : undefined;
  const workflow = graph._tag === 'Api' ? graph.workflow : converted?.workflow;
  const version = ui?.['version'];
  const unread = carrier?.problem;
  return {
    file: name,
    format: carrier?.format ?? 'json',
    holds: [
      ...(graph._tag === 'Api' ? (['api'] as const) : []),
      ...(ui === undefined ? [] : (['ui'] as const)),
    ],
    ...(typeof version === 'number' && { version }),
    nodes: workflow === undefined ? nodesOfEditor(ui?.['nodes']) : nodesOf(workflow),
    models: [...(workflow === undefined ? [] : modelsOf(workflow)), ...listedModels(ui?.['models'])],
    problems: [
      ...(unread === undefined
        ? []
        : [{ type: unread.reason, severity: 'warning', message: unread.message } as const]),
      ...graph.problems,
      ...(converted?.problems ?? []),
      ...(workflow === undefined ? [] : danglingLinks(workflow)),
    ],
  };
};

const nodesOf = (workflow: Workflow): readonly InspectedNode[] =>
  Object.entries(workflow).map(([nodeId, { class_type, inputs, _meta }]) => ({
    nodeId,
    class: class_type,
    ...(_meta?.title !== undefined && { title: _meta.title }),
    inputs,
  }));

/** The nodes of a file that can't be converted, as far as they say what they are. */
const nodesOfEditor = (nodes: unknown): readonly InspectedNode[] =>
  listOfObjects(nodes).map(({ id, type, title }) => ({
    nodeId: String(id),
    class: String(type),
    ...(typeof title === 'string' && { title }),
    inputs: {},
  }));

const modelFile = /\.(?:safetensors|sft|ckpt|pth?|bin|gguf|onnx)$/iu;

const modelsOf = (workflow: Workflow): readonly InspectedModel[] =>
  Object.entries(workflow).flatMap(([nodeId, { inputs }]) =>
    Object.entries(inputs).flatMap(([input, name]) =>
      typeof name === 'string' && modelFile.test(name) ? [{ name, nodeId, input }] : [],
    ),
  );

const listedModels = (models: unknown): readonly InspectedModel[] =>
  listOfObjects(models).flatMap(({ name }) => (typeof name === 'string' ? [{ name }] : []));

const danglingLinks = (workflow: Workflow): Inspection['problems'] =>
  Object.entries(workflow).flatMap(([nodeId, { inputs }]) =>
    Object.entries(inputs).flatMap(([input, value]) =>
      isLink(value) && !Object.hasOwn(workflow, value[0])
        ? [
            {
              nodeId,
              input,
              type: 'missing_node',
              severity: 'error' as const,
              message: `The input ${input} of node ${nodeId} is linked to node ${value[0]}, which is not there.`,
            },
          ]
        : [],
    ),
  );

/** Whether a value of an input has the shape of a link. */
export const isLink = (value: unknown): value is readonly [nodeId: string, slot: number] =>
  Array.isArray(value) && value.length === 2 && typeof value[0] === 'string' && typeof value[1] === 'number';

const listOfObjects = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value)
    ? value.filter((one): one is Readonly<Record<string, unknown>> => typeof one === 'object' && one !== null)
    : [];

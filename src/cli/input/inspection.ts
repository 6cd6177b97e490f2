import type { InspectedModel, InspectedNode } from './inspected.js';
import { editorNodes, restingNodes } from './editor-nodes.js';
import {
  type Graph,
  listedModels,
  type NodeDefinitions,
  type Problem,
  toApiWorkflow,
  type UiWorkflow,
} from '../../workflow.js';
import type { Workflow } from '../../node.js';
import type { WorkflowFile } from './workflow-file.js';

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
  const ui = uiOf(graph, carrier);
  const converted = graph._tag === 'Ui' ? toApiWorkflow(graph.workflow, definitions) : undefined;
  const workflow = graph._tag === 'Api' ? graph.workflow : converted?.workflow;
  const version = ui?.['version'];
  return {
    file: name,
    format: carrier?.format ?? 'json',
    holds: [
      ...(graph._tag === 'Api' ? (['api'] as const) : []),
      ...(ui === undefined ? [] : (['ui'] as const)),
    ],
    ...(typeof version === 'number' && { version }),
    nodes: nodesIn(workflow, ui),
    models: modelsIn(workflow, ui),
    problems: [
      ...unreadPart(carrier),
      ...graph.problems,
      ...(converted?.problems ?? []),
      ...(workflow === undefined ? [] : danglingLinks(workflow)),
    ],
  };
};

/** The editor's file: the graph itself, or what stands beside the executed graph. */
const uiOf = (graph: Graph, carrier: WorkflowFile['carrier']): UiWorkflow | undefined => {
  if (graph._tag === 'Ui') return graph.workflow;
  const carried = carrier?.workflow?.value;
  return graph.ui ?? (Array.isArray(carried?.['nodes']) ? (carried as UiWorkflow) : undefined);
};

/** What of a media file could not be read. */
const unreadPart = (carrier: WorkflowFile['carrier']): Inspection['problems'] =>
  carrier?.problem === undefined
    ? []
    : [{ type: carrier.problem.reason, severity: 'warning', message: carrier.problem.message }];

const nodesOf = (workflow: Workflow): readonly InspectedNode[] =>
  Object.entries(workflow).map(([nodeId, { class_type, inputs, _meta }]) => ({
    nodeId,
    class: class_type,
    ...(_meta?.title !== undefined && { title: _meta.title }),
    inputs,
  }));

/** The nodes that run, then those that only the editor's file has: notes, muted and bypassed ones; or all as that has them. */
const nodesIn = (workflow: Workflow | undefined, ui: UiWorkflow | undefined): readonly InspectedNode[] => {
  if (workflow === undefined) return ui === undefined ? [] : editorNodes(ui);
  const resting = ui === undefined ? [] : restingNodes(ui);
  // A class of a pack may be called a note and run.
  const runs = ({ nodeId, mode, inside }: InspectedNode): boolean =>
    mode === undefined && inside === undefined && Object.hasOwn(workflow, nodeId);
  return [...nodesOf(workflow), ...resting.filter((node) => !runs(node))];
};

/** The files that inputs or values name, with what the file says of them, then the others that it lists. */
const modelsIn = (workflow: Workflow | undefined, ui: UiWorkflow | undefined): readonly InspectedModel[] => {
  const listed = ui === undefined ? [] : listedModels(ui);
  const used: readonly InspectedModel[] =
    workflow === undefined
      ? (ui === undefined ? [] : editorNodes(ui)).flatMap(({ nodeId, values = [] }) =>
          values.flatMap((name) =>
            typeof name === 'string' && modelFile.test(name) ? [{ name, nodeId }] : [],
          ),
        )
      : modelsOf(workflow);
  const fileOf = (name: string): string =>
    name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  const known = used.map((model) => ({
    ...listed.find(({ name }) => fileOf(name) === fileOf(model.name)),
    ...model,
  }));
  return [
    ...known,
    ...listed.filter(({ name }) => !used.some((model) => fileOf(model.name) === fileOf(name))),
  ];
};

const modelFile = /\.(?:safetensors|sft|ckpt|pth?|bin|gguf|onnx)$/iu;

const modelsOf = (workflow: Workflow): readonly InspectedModel[] =>
  Object.entries(workflow).flatMap(([nodeId, { inputs }]) =>
    Object.entries(inputs).flatMap(([input, name]) =>
      typeof name === 'string' && modelFile.test(name) ? [{ name, nodeId, input }] : [],
    ),
  );

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

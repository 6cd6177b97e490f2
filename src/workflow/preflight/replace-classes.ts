import { isJsonObject } from '../../core/protocol/json/json.js';
import { type Json, listOf, objectOf, ownOf, textOf } from '../values.js';
import type { NodeDefinitions } from '../definitions.js';
import type { ReplacedNode } from './report.js';
import type { Workflow, WorkflowNode } from '../../core/protocol/workflow.js';

/** A workflow after the replacements of a service. */
export interface Replacements {
  /** The same one where nothing was replaced. */
  readonly workflow: Workflow;
  readonly replaced: readonly ReplacedNode[];
}

/**
 * Replaces classes that a service lacks as the service itself does before it checks a workflow (docs/protocol.md, chapter 2.14): by the first
 * entry of the class alone, and only where it has the new class. Of the inputs, those stay that the entry maps.
 *
 * @param table - The answer of `node_replacements`; anything else replaces nothing.
 */
export const replaceClasses = (
  workflow: Workflow,
  definitions: NodeDefinitions,
  table: unknown,
): Replacements => {
  const entries = Object.entries(workflow).flatMap(([nodeId, node]) => {
    const entry = entryOf(node.class_type, definitions, table);
    return entry === undefined ? [] : [[nodeId, entry] as const];
  });
  if (entries.length === 0) return { workflow, replaced: [] };
  const entryById = new Map(entries);
  const slotOf = (link: unknown): unknown => {
    const target = isLink(link) ? entryById.get(link[0]) : undefined;
    const pairs = listOf(target?.['output_mapping']).map(objectOf);
    const pair = pairs.findLast((one) => isLink(link) && one['old_idx'] === link[1]);
    return pair === undefined ? link : [(link as Link)[0], pair['new_idx']];
  };
  const nodes = Object.entries(workflow).map(([nodeId, node]) => {
    const inputs = Object.entries(inputsOf(node)).map(([name, value]) => [name, slotOf(value)] as const);
    const moved = { ...node, inputs: Object.fromEntries(inputs) };
    const entry = entryById.get(nodeId);
    return [nodeId, entry === undefined ? moved : replacedNode(moved, entry)] as const;
  });
  return {
    workflow: Object.fromEntries(nodes),
    replaced: entries.map(([nodeId, entry]) => {
      const node = workflow[nodeId] as WorkflowNode;
      const breaks = breaksOf(node, entry, entryById);
      return {
        nodeId,
        className: node.class_type,
        newClass: String(entry['new_node_id']),
        droppedInputs: droppedBy(node, entry),
        ...(breaks !== undefined && { breaks }),
      };
    }),
  };
};

/**
 * Gives the workflow that a service checks in place of this one: with the classes replaced that it lacks.
 *
 * `validateWorkflow` of it says what the service says; submit the workflow itself. Where the service would fail at a replacement (500), it
 * is the given one, whose class is missing. It changes nothing.
 *
 * @param table - The answer of `client.rest.nodeReplacements()`; anything else replaces nothing.
 *
 * @example
 * ```ts
 * import { validateWorkflow, workflowAsChecked, type NodeDefinitions, type Problem } from 'promptwire/workflow';
 * import type { Workflow } from 'promptwire';
 *
 * const check = (workflow: Workflow, definitions: NodeDefinitions, replacements: unknown): readonly Problem[] =>
 *   validateWorkflow(workflowAsChecked(workflow, definitions, replacements), definitions);
 * ```
 */
export const workflowAsChecked = (
  workflow: Workflow,
  definitions: NodeDefinitions,
  table: unknown,
): Workflow => {
  const { workflow: sent, replaced } = replaceClasses(workflow, definitions, table);
  return replaced.some(({ breaks }) => breaks === 'always') ? workflow : sent;
};

/** Whether a node is of a class that these definitions lack, so that replacements may change what is checked. */
export const lacksClasses = (workflow: Workflow, definitions: NodeDefinitions): boolean =>
  Object.values(workflow).some(
    (node: unknown) => !Object.hasOwn(definitions, String(objectOf(node)['class_type'])),
  );

/** The classes that take the places of these, by the first entry of each. */
export const newClassesOf = (classes: readonly string[], table: unknown): readonly string[] =>
  classes.flatMap((name) => {
    const [first] = listOf(ownOf(objectOf(table), name));
    return textOf(objectOf(first)['new_node_id']) ?? [];
  });

type Link = readonly [nodeId: string, slot: number];

/** A literal of this shape counts as a link. */
const isLink = (value: unknown): value is Link =>
  Array.isArray(value) && value.length === 2 && typeof value[0] === 'string' && typeof value[1] === 'number';

/** The replacement that the service makes; undefined if it makes none. */
const entryOf = (className: unknown, definitions: NodeDefinitions, table: unknown): Json | undefined => {
  if (typeof className !== 'string' || Object.hasOwn(definitions, className)) return undefined;
  const [first] = listOf(ownOf(objectOf(table), className));
  const newClass = textOf(objectOf(first)['new_node_id']);
  return newClass !== undefined && Object.hasOwn(definitions, newClass) ? objectOf(first) : undefined;
};

const inputsOf = ({ inputs }: WorkflowNode): Json => (isJsonObject(inputs) ? inputs : {});

const mappedBy = (entry: Json): readonly Json[] => listOf(entry['input_mapping']).map(objectOf);

const takenBy = (entry: Json): readonly string[] =>
  mappedBy(entry).flatMap((pair) =>
    Object.hasOwn(pair, 'set_value') || typeof pair['old_id'] !== 'string' ? [] : [pair['old_id']],
  );

const replacedNode = (node: WorkflowNode, entry: Json): WorkflowNode => {
  const old = inputsOf(node);
  const inputs = mappedBy(entry).flatMap((pair): [string, unknown][] => {
    const { new_id: name, old_id: from } = pair;
    if (typeof name !== 'string') return [];
    if (Object.hasOwn(pair, 'set_value')) return [[name, pair['set_value']]];
    return typeof from === 'string' && Object.hasOwn(old, from) ? [[name, old[from]]] : [];
  });
  return { ...node, class_type: String(entry['new_node_id']), inputs: Object.fromEntries(inputs) };
};

const droppedBy = (node: WorkflowNode, entry: Json): readonly string[] => {
  const taken = new Set(takenBy(entry));
  return Object.keys(inputsOf(node)).filter((name) => !taken.has(name));
};

/**
 * The service fails on an input that the entry takes and the node lacks. It also does where it moves the slot of a link whose input another
 * replacement has renamed, and the order of replacements changes from one process to the next.
 */
const breaksOf = (
  node: WorkflowNode,
  entry: Json,
  entryById: ReadonlyMap<string, Json>,
): ReplacedNode['breaks'] => {
  const inputs = inputsOf(node);
  if (takenBy(entry).some((name) => !Object.hasOwn(inputs, name))) return 'always';
  const kept = new Set(mappedBy(entry).map((pair) => pair['new_id']));
  const isMoved = (value: unknown): boolean => {
    const source = isLink(value) ? entryById.get(value[0]) : undefined;
    return listOf(source?.['output_mapping']).some(
      (pair) => isLink(value) && objectOf(pair)['old_idx'] === value[1],
    );
  };
  return Object.entries(inputs).some(([name, value]) => isMoved(value) && !kept.has(name))
    ? 'perhaps'
    : undefined;
};

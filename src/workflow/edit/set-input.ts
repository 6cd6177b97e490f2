import { type Either, right } from '../../core/protocol/either.js';
import { comboIndex, customCombo } from '../combo-index.js';
import { fileInput, isUploadedFile } from '../file-input.js';
import { inputFinder } from './find-by-name.js';
import type { InputPlace, InputTarget, InvalidTarget } from './target.js';
import { isLink, type Workflow, type WorkflowNode } from '../../core/protocol/workflow.js';

/** What {@link setInput} takes after the workflow: the id of a node, the name of its input and the value, or a target or a name as `findInput` reads it, and the value. */
export type SetInputArguments =
  [nodeId: string, name: string, value: unknown] | [target: InputTarget | string, value: unknown];

/**
 * Copies a workflow with another value for one input of one node, which is named by its id, its title or its class: two texts, a
 * target, or one name such as `Positive.text`, as `template`, `findInput` and `--set` take it.
 *
 * An array is a literal, wrapped as `{ __value__: [...] }` for the service, unless it is a link `[nodeId, slot]` to a node of
 * the workflow (docs/protocol.md, chapter 9). The answer of an upload becomes what refers to the file, as `fileInput` gives it. It
 * does not check that the node class has this input: `setInput` of `promptwire/workflow` does, by the definitions of the service.
 * Left is `UnknownNode` with the names that are nearest, or `AmbiguousNode` with the ids of all nodes of this title or class.
 *
 * @example
 * ```ts
 * import { setInput, type Workflow } from 'promptwire';
 *
 * const withSeed = (workflow: Workflow, seed: number) => setInput(workflow, '3', 'seed', seed);
 * const withPrompt = (workflow: Workflow, text: string) =>
 *   setInput(workflow, 'Positive.text', text); // or { title: 'Positive', input: 'text' }
 * ```
 */
export const setInput = (workflow: Workflow, ...how: SetInputArguments): Either<InvalidTarget, Workflow> => {
  const [target, value] = isById(how) ? [{ id: how[0], input: how[1] }, how[2]] : how;
  const place = inputFinder(workflow)(target);
  if (place._tag === 'Left') return place;
  return right(withValues(workflow, [{ ...place.right, value: inputValue(workflow, value) }]));
};

/** What an input takes for a value: a list that is no link is wrapped, and an uploaded file becomes what refers to it. */
export const inputValue = (workflow: Workflow, value: unknown): unknown =>
  Array.isArray(value) && !isLink(workflow, value)
    ? { __value__: value }
    : isUploadedFile(value)
      ? fileInput(value)
      : value;

/** Whether arguments name the node by its id alone. */
const isById = (how: SetInputArguments): how is Extract<SetInputArguments, [string, string, unknown]> =>
  typeof how[0] === 'string' && how.length > 2;

/** An input of a node, and its value as it is. */
export interface PlacedValue extends InputPlace {
  readonly value: unknown;
}

/** Copies a workflow with other values in these places, once for all of them. */
export const withValues = (workflow: Workflow, values: readonly PlacedValue[]): Workflow => {
  const nodes = new Map(Object.entries(workflow));
  for (const { nodeId, input, value } of values) {
    const node = nodes.get(nodeId);
    if (node === undefined) continue;
    // A computed key makes an own member even of `__proto__`.
    const inputs = { ...node.inputs, [input]: value };
    const all = input === 'index' ? inputs : withIndex(node.class_type, inputs);
    nodes.set(nodeId, { ...node, inputs: all });
  }
  return Object.fromEntries(nodes);
};

/** A "Custom Combo" runs with the index that its inputs say, which has to be that of its choice, unless another node makes this. */
const withIndex = (classType: string, inputs: WorkflowNode['inputs']): WorkflowNode['inputs'] =>
  classType === customCombo && 'index' in inputs && !Array.isArray(inputs['choice'])
    ? { ...inputs, index: comboIndex(Object.entries(inputs), inputs['choice']) }
    : inputs;

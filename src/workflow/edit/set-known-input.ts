import type { InputTarget, InvalidTarget } from './target.js';
import type { Either } from '../../core/protocol/either.js';
import { findInput } from './find-input.js';
import type { NodeDefinitions } from '../definitions.js';
import { isJsonObject } from '../../core/protocol/json/json.js';
import { setInput } from './set-input.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** What {@link setKnownInput} takes after the workflow: as `setInput` of `promptwire`, and the service's definitions. */
export type SetKnownInputArguments =
  | [nodeId: string, name: string, value: unknown, definitions?: NodeDefinitions]
  | [target: InputTarget | string, value: unknown, definitions?: NodeDefinitions];

/**
 * Copies a workflow with another value for one input of one node, as `setInput` of `promptwire` does, and knows the inputs of the
 * node.
 *
 * With the service's definitions (its `object_info`) an input that the class of the node does not declare is Left
 * `UnknownInput`, with the names that are nearest; without them, and for classes that they lack, any name is set. Of two texts and an
 * object the first is an id where a node has it, and else one name such as `Positive.text`.
 *
 * @example
 * ```ts
 * import { type NodeDefinitions, setInput } from 'promptwire/workflow';
 * import type { Workflow } from 'promptwire';
 *
 * const withSeed = (workflow: Workflow, definitions: NodeDefinitions, seed: number) =>
 *   setInput(workflow, 'KSampler.seed', seed, definitions); // or { class: 'KSampler', input: 'seed' }
 * ```
 */
export const setKnownInput = (
  workflow: Workflow,
  ...how: SetKnownInputArguments
): Either<InvalidTarget, Workflow> => {
  const [target, value, definitions] = isById(workflow, how)
    ? [{ id: how[0], input: how[1] }, how[2], how[3]]
    : how;
  const found = findInput(workflow, target, definitions);
  return found._tag === 'Left' ? found : setInput(workflow, found.right.nodeId, found.right.input, value);
};

type ById = Extract<SetKnownInputArguments, [string, string, unknown, ...unknown[]]>;

/** A value may be a text, and definitions are an object, as a value may be: then a node of that id tells. */
const isById = (workflow: Workflow, how: SetKnownInputArguments): how is ById => {
  const [first, second, third] = how;
  if (typeof first !== 'string' || typeof second !== 'string' || how.length < 3) return false;
  const mayBeDefinitions = how.length === 3 && (third === undefined || isJsonObject(third));
  return !mayBeDefinitions || Object.hasOwn(workflow, first);
};

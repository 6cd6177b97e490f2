import type { InputTarget, InvalidTarget } from './target.js';
import type { Either } from '../../core/protocol/either.js';
import { findInput } from './find-input.js';
import type { NodeDefinitions } from '../definitions.js';
import { isById, setInput } from './set-input.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** What {@link setKnownInput} takes after the workflow: as `setInput` of `promptwire`, and the service's definitions. */
export type SetKnownInputArguments =
  | [nodeId: string, name: string, value: unknown, definitions?: NodeDefinitions]
  | [target: InputTarget, value: unknown, definitions?: NodeDefinitions]
  | [name: string, value: unknown];

/**
 * Copies a workflow with another value for one input of one node, as `setInput` of `promptwire` does, and knows the inputs of the
 * node.
 *
 * One name such as `Positive.text` is taken without definitions: with them, give what `findInput` found for it, or a target.
 *
 * With the service's definitions (its `object_info`) an input that the class of the node does not declare is Left
 * `UnknownInput`, with the names that are nearest; without them, and for classes that they lack, any name is set.
 *
 * @example
 * ```ts
 * import { type NodeDefinitions, setInput } from 'promptwire/workflow';
 * import type { Workflow } from 'promptwire';
 *
 * const withSeed = (workflow: Workflow, definitions: NodeDefinitions, seed: number) =>
 *   setInput(workflow, { class: 'KSampler', input: 'seed' }, seed, definitions);
 * ```
 */
export const setKnownInput = (
  workflow: Workflow,
  ...how: SetKnownInputArguments
): Either<InvalidTarget, Workflow> => {
  const [target, value, definitions] = isById(how)
    ? [{ id: how[0], input: how[1] }, how[2], how[3]]
    : [how[0], how[1], how.length > 2 ? how[2] : undefined];
  const found = findInput(workflow, target, definitions);
  return found._tag === 'Left' ? found : setInput(workflow, found.right.nodeId, found.right.input, value);
};

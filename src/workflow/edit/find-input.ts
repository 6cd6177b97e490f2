import { type Either, left, right } from '../../core/protocol/either.js';
import { type FindPlace, inputFinder } from './find-by-name.js';
import type { InputPlace, InputTarget, InvalidTarget } from './target.js';
import { likeIt, nearestNames } from './nearest-names.js';
import { type ClassDefinition, type NodeDefinitions, readDefinition } from '../definitions.js';
import { isJsonObject } from '../../core/protocol/json/json.js';
import { liveInputs } from '../validate/live-inputs.js';
import { serviceError } from '../../core/errors/service-error.js';
import type { Workflow } from '../../core/protocol/workflow.js';

export type { InputPlace } from './target.js';

/**
 * Finds the input that a target or a name means.
 *
 * A name is `NODE.INPUT`, such as `Positive.text`, `KSampler.seed` or `3.seed`. NODE is a title; if no node has this title, a
 * class; if no node is of this class, an id. `#3` is the id 3 if nothing else has that name. A title or a class of several nodes is
 * Left `AmbiguousNode`, and an id tells them apart.
 * Of several points the last one before which a node's name stands is the border. A backslash before a point makes it part of the name:
 * `v1\.5.text`; so it does before `=` and `\`.
 *
 * @param definitions - The service's `object_info`. With it, an input that the node's class does not declare, and the node does
 *   not have already, is Left `UnknownInput`; of a class of another package, which may take what it does not declare, only where a
 *   declared input is like it. Without, and for classes that it lacks, any input is found.
 *
 * @example
 * ```ts
 * import { findInput, type NodeDefinitions } from 'promptwire/workflow';
 * import type { Workflow } from 'promptwire';
 *
 * const seedOf = (workflow: Workflow, definitions: NodeDefinitions): string | undefined => {
 *   const found = findInput(workflow, 'KSampler.seed', definitions);
 *   return found._tag === 'Right' ? found.right.nodeId : found.left.message;
 * };
 * ```
 */
export const findInput = (
  workflow: Workflow,
  target: InputTarget | string,
  definitions?: NodeDefinitions,
): Either<InvalidTarget, InputPlace> => findInputBy(inputFinder(workflow), workflow, target, definitions);

/** Finds an input as {@link findInput} does, with a finder that many targets share. */
export const findInputBy = (
  find: FindPlace,
  workflow: Workflow,
  target: InputTarget | string,
  definitions?: NodeDefinitions,
): Either<InvalidTarget, InputPlace> => {
  const place = find(target);
  return place._tag === 'Left'
    ? place
    : placeOf(workflow, place.right.nodeId, place.right.input, definitions);
};

const placeOf = (
  workflow: Workflow,
  nodeId: string,
  input: string,
  definitions: NodeDefinitions | undefined,
): Either<InvalidTarget, InputPlace> => {
  const node = workflow[nodeId];
  const ofClass = node?.class_type ?? '';
  const definition = readDefinition(definitions, ofClass);
  const has = isJsonObject(node?.inputs) && Object.hasOwn(node.inputs, input);
  // Some packs have inputs that they don't declare, which a node then has.
  if (definition === undefined || definition.takesAnything || has) return right({ nodeId, input });
  const known = namesOf(definition, node?.inputs, input);
  const nearest = nearestNames(input, known);
  if (known.includes(input) || (definition.isForeign && nearest.length === 0))
    return right({ nodeId, input });
  return left(
    serviceError('UnknownInput', {
      nodeId,
      input,
      knownInputs: known,
      nearest,
      message: `Node ${nodeId} (${ofClass}) has no input ${JSON.stringify(input)}${likeIt(nearest)}.`,
      ...(nearest.length === 0 && { hint: `It has: ${known.join(', ')}.` }),
    }) as InvalidTarget,
  );
};

/** The inputs that the class declares. An input of a dynamic one counts as soon as it is there. */
const namesOf = ({ inputs }: ClassDefinition, given: unknown, asked: string): readonly string[] =>
  liveInputs(inputs, { [asked]: undefined, ...(isJsonObject(given) && given) }).map(({ name }) => name);

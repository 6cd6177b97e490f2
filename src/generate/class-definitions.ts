import type { Call } from '../core/interop/call.js';
import * as E from '../core/protocol/either.js';
import type { NodeDefinitions } from '../workflow/definitions.js';
import type { ObjectInfo } from '../core/endpoints/object-info.js';
import type { ServiceError } from '../core/errors/errors.js';
import { toPromise } from '../core/interop/to-promise.js';

/** The call of a client that reads its node classes, or one of them. */
interface DefinitionsRest {
  readonly objectInfo: (options?: { readonly nodeClass?: string }) => Call<ObjectInfo>;
}

/** Reads the definition of one node class; none where the service lacks it. */
export const definitionOfClass = async (
  { objectInfo }: DefinitionsRest,
  nodeClass: string,
): Promise<E.Either<ServiceError, NodeDefinitions>> => {
  const answer = await objectInfo({ nodeClass })();
  // An engine answers with an empty object for a class that it lacks, a cloud service with 404.
  const isLacking = E.isLeft(answer) && (answer.left._tag === 'NotFound' || answer.left._tag === 'Decode');
  return isLacking ? E.right({}) : answer;
};

/** Reads the definitions of these node classes, or of all where none is named; rejects with a `ServiceError`. */
export const definitionsOf =
  (rest: DefinitionsRest) =>
  async (classes: readonly string[] = []): Promise<NodeDefinitions> => {
    if (classes.length === 0) return toPromise(rest.objectInfo());
    const answers = await Promise.all(classes.map((nodeClass) => definitionOfClass(rest, nodeClass)));
    return joined(answers.map(E.getOrThrow));
  };

/** The definitions of all these; a class may have any name. */
export const joined = (definitions: readonly NodeDefinitions[]): NodeDefinitions =>
  Object.assign(Object.create(null) as NodeDefinitions, ...definitions) as NodeDefinitions;

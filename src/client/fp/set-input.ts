import type { Either } from 'fp-ts/lib/Either.js';
import type { ServiceError } from '../../core/errors/errors.js';
import type { SetInputArguments } from '../../workflow/edit/set-input.js';
import type { Workflow } from '../../core/protocol/workflow.js';
import { setInput as setInputOf } from '../../workflow/edit/set-input.js';

/**
 * Copies a workflow with another value for one input of one node, which is named by its id, its title or its class; the workflow
 * comes last.
 *
 * As `setInput` of `promptwire`: an array is a literal, unless it is a link to a node of the workflow. Left is `UnknownNode`,
 * `AmbiguousNode` or, with definitions, `UnknownInput`.
 *
 * @example
 * ```ts
 * import type { Workflow } from 'promptwire';
 * import { setInput } from 'promptwire/fp';
 * import { pipe } from 'fp-ts/lib/function.js';
 * import * as E from 'fp-ts/lib/Either.js';
 *
 * const asked = (workflow: Workflow, text: string, seed: number) =>
 *   pipe(
 *     workflow,
 *     setInput({ title: 'Positive', input: 'text' }, text),
 *     E.flatMap(setInput('3', 'seed', seed)),
 *   );
 * ```
 */
export const setInput =
  (...how: SetInputArguments) =>
  (workflow: Workflow): Either<ServiceError, Workflow> =>
    setInputOf(workflow, ...how);

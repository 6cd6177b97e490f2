import { type Either, left, right } from '../protocol/either.js';
import type { Problem } from '../workflow/problem.js';
import type { RedactValue } from '../redaction/redact-value.js';
import type { Rest } from '../http/rest.js';
import type { ServiceError } from '../errors/errors.js';
import { serviceError } from '../errors/service-error.js';
import type { Workflow } from '../protocol/workflow.js';

/**
 * Whether a workflow is checked before it is submitted, by the node classes of the service: `off`, the default, does not;
 * `warn` submits it in any case, with what was found in `JobState.problems`; `strict` submits nothing that has an error.
 */
export type ValidateMode = 'off' | 'warn' | 'strict';

/**
 * Checks a workflow before its submission.
 *
 * Left where nothing may be sent: `InvalidWorkflow` with the problems, or, where the node classes could not be fetched, the
 * error of that. The latter is a warning for `warn`.
 */
export type Validate = (
  workflow: Workflow,
  mode: 'warn' | 'strict',
) => Promise<Either<ServiceError, readonly Problem[]>>;

/**
 * Makes the check of one client. The validator is loaded with the first workflow, so that a page without one loads none of it;
 * where that fails, the next one tries again.
 */
export const lazyValidation = (rest: Pick<Rest, 'objectInfo'>, redactValue: RedactValue): Validate => {
  let loading: Promise<Validate> | undefined;
  const load = async (): Promise<Validate> => {
    try {
      const { validation } = await import('./validation.js');
      return validation(rest, redactValue);
    } catch {
      loading = undefined;
      return notLoaded;
    }
  };
  return async (workflow, mode) => (await (loading ??= load()))(workflow, mode);
};

const notLoaded: Validate = (_, mode) => {
  const message = 'The validator could not be loaded.';
  return Promise.resolve(
    mode === 'warn'
      ? right([{ type: 'not_validated', severity: 'warning', message }])
      : left(serviceError('Network', { code: 'IMPORT', sent: false, message })),
  );
};

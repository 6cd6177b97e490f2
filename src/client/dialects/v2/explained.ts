import type { Ask } from './job-calls.js';
import { candidatesFor } from './candidates.js';
import type { SubmitOptions } from '../../../core/http/rest.js';
import type { ServiceError } from '../../../core/errors/errors.js';
import { withCandidates } from '../../../core/errors/service-error.js';
import type { Workflow } from '../../../core/protocol/workflow.js';

/** What a word of API v2 asks of the user, where the status alone would say something else (docs/protocol.md, chapter 12.2). */
const hints: Readonly<Record<string, string>> = {
  sso_required: 'Sign in to the organization by its single sign-on, and use a key of that account.',
  deployment_stopped: 'Start the deployment, then submit the workflow again: nothing was submitted.',
  deployment_not_ready: 'The deployment is starting: submit the workflow again in a moment.',
  missing_asset: 'Upload the file that the message names, and put the new reference into the workflow.',
  workflow_format_ui:
    'Convert the workflow by `toApiWorkflow` of promptwire/workflow, or by `promptwire convert`.',
};

/** The error of a submission with what API v2 says beyond it: a hint by its word, and the jobs that it may have become. */
export const explained = async (
  error: ServiceError,
  ask: Ask,
  workflow: Workflow,
  options?: SubmitOptions,
): Promise<ServiceError> => {
  if (error._tag === 'OutcomeUnknown')
    return withCandidates(error, await candidatesFor(ask, workflow, error.startedAt, options));
  const { errorType = '', status } = error;
  const hint = Object.hasOwn(hints, errorType)
    ? hints[errorType]
    : status === 404
      ? 'There is no API v2 at this address: check baseUrl and dialect.'
      : undefined;
  return hint === undefined ? error : Object.assign(error, { hint });
};

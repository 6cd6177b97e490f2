import type { DialectStrategy } from '../dialects/dialect.js';
import * as E from '../../core/protocol/either.js';
import type { EphemeralWorkflow } from '../../workflow/edit/ephemeral-workflow.js';
import type { JobContext } from './job-context.js';
import { prepareWorkflow } from './prepare-workflow.js';
import { refusedRequest } from '../../core/http/refused-request.js';
import { sentWorkflow } from './ephemeral.js';
import type { ServiceError } from '../../core/errors/errors.js';
import { serviceError } from '../../core/errors/service-error.js';
import type { SubmitRequests } from '../../core/endpoints/submit-requests.js';
import type { ValidateMode } from './validation.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** What a submission asks for beside its workflow. */
export interface AskedOfSubmission extends SubmitRequests {
  readonly ephemeral?: boolean | undefined;
  readonly validate?: ValidateMode | undefined;
}

/**
 * A copy of the workflow as it is sent. Left if nothing may be sent: what is no workflow, what the dialect has no place for, and an
 * ephemeral job that would leave something.
 */
export const readySubmission = (
  dialect: Pick<DialectStrategy, 'name' | 'jobs' | 'http'>,
  workflow: Workflow,
  { ephemeral = false, validate = 'off', ...requests }: AskedOfSubmission,
): E.Either<ServiceError, EphemeralWorkflow> => {
  const prepared = prepareWorkflow(workflow);
  if (E.isLeft(prepared)) return prepared;
  const refused = refusedRequest(dialect.http, prepared.right, requests) ?? refusedMode(validate);
  return refused === undefined ? sentWorkflow(dialect, prepared.right, ephemeral) : E.left(refused);
};

/** Only an untyped program can name another mode. */
const refusedMode = (mode: ValidateMode): ServiceError | undefined =>
  ['off', 'warn', 'strict'].includes(mode)
    ? undefined
    : serviceError('InvalidConfig', { option: 'validate', message: 'validate takes off, warn or strict.' });

/**
 * Makes what refuses a submission before a file is uploaded for it, since an uploaded file stays at the service. Rejects with the
 * `ServiceError` that the submission itself would end with; the node classes are asked for only where it would ask for them.
 */
export const refuseBeforeUpload =
  ({ dialect, work, validate }: Pick<JobContext, 'dialect' | 'work' | 'validate'>) =>
  async (workflow: Workflow, asked: AskedOfSubmission): Promise<void> => {
    const refusal = work.refusal();
    if (refusal !== undefined) throw refusal;
    const { workflow: sent } = E.getOrThrow(readySubmission(dialect, workflow, asked));
    const { validate: mode = 'off', targets } = asked;
    if (mode === 'strict' || targets !== undefined) E.getOrThrow(await validate(sent, mode, targets));
  };

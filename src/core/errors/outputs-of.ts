import * as E from '../protocol/either.js';
import type { JobState } from '../state/job-state.js';
import type { Outputs } from '../state/outputs.js';
import type { ServiceError } from './errors.js';
import { serviceError } from './service-error.js';
import { unknownFailure } from '../state/failure.js';

/** The outputs of a job by its last state; Left says why the job has no outputs, or not all of them. */
export const outputsOf = ({
  phase,
  promptId,
  outputs,
  outputsComplete,
  failure,
}: JobState): E.Either<ServiceError, Outputs> => {
  switch (phase) {
    case 'completed':
      return outputsComplete
        ? E.right(outputs)
        : E.left(serviceError('OutputsIncomplete', { promptId, outputs }));
    case 'cancelled':
      return E.left(serviceError('JobCancelled', { promptId }));
    case 'failed':
      return E.left(serviceError('JobFailed', { promptId, failure: failure ?? unknownFailure() }));
    default:
      return E.left(
        serviceError('NotFound', { promptId, message: 'Neither status nor history knows the job any more.' }),
      );
  }
};

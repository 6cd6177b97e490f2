import type { JobFailure } from '../state/failure.js';
import type { ServiceError } from './errors.js';
import { unknownFailure } from '../state/failure.js';

/** The failure of a job by the error of its submission, or of what followed it. */
export const failureOfError = (error: ServiceError): JobFailure => ({
  ...unknownFailure(error.message),
  exceptionType: error._tag,
  ...(error._tag === 'BadRequest' && { nodeErrors: error.nodeErrors }),
  ...(error._tag === 'OutcomeUnknown' && { candidates: error.candidates, startedAt: error.startedAt }),
  ...(error.requestId !== undefined && { requestId: error.requestId }),
});

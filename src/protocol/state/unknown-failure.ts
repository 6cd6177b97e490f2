import type { JobFailure } from './job-failure.js';
import { noNodeErrors } from '../answers/node-errors.js';

/** The failure of a job of which the service said no more than that it failed. */
export const unknownFailure = (exceptionMessage = 'The service gave no reason.'): JobFailure => ({
  exceptionType: 'Unknown',
  exceptionMessage,
  traceback: [],
  nodeErrors: noNodeErrors,
});

import { isServiceError, serviceError } from '../../core/errors/service-error.js';
import type { ServiceErrorOf } from '../../core/errors/errors.js';

/** Whether an error says that the client is closed. */
export const isClosed = (error: unknown): error is ServiceErrorOf<'Closed'> =>
  isServiceError(error) && error._tag === 'Closed';

/** The same error, in which `Closed` names the job, so that another client can follow it. */
export const namingJob = (error: unknown, promptId: string): unknown =>
  isClosed(error) && error.promptId === undefined ? serviceError('Closed', { promptId }) : error;

import type { ServiceError } from '../errors/errors.js';
import { serviceError } from '../errors/service-error.js';

/** The answer of a server that keeps no logs of its jobs. */
export const noLogs = (promptId: string): ServiceError =>
  serviceError('NotSupported', {
    promptId,
    message: 'A server of this dialect keeps no logs of jobs.',
    hint: 'Read the failure of the job, which holds the traceback; a deployment of API v2 has logs.',
  });

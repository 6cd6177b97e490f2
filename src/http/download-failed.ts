import type { ServiceError, ServiceErrorFields } from '../protocol/errors/errors.js';
import { sampleOf } from '../protocol/errors/redact.js';
import { serviceError } from '../protocol/errors/service-error.js';
import type { CallContext } from './failure.js';

/** The error of a file that did not come, or not whole; `reason` is of our own words or cleaned already. */
export const downloadFailed = (
  filename: string,
  reason: string,
  { endpoint, redact }: Pick<CallContext, 'endpoint' | 'redact'>,
  more: Pick<Partial<ServiceErrorFields>, 'status' | 'retry' | 'errorType' | 'sample'> = {},
): ServiceError =>
  serviceError('DownloadFailed', {
    message: `The file ${sampleOf(filename, 200, redact)} could not be fetched: ${reason}.`,
    endpoint,
    filename: redact(filename),
    reason,
    ...more,
  });

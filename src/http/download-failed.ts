import type { ServiceError } from '../protocol/errors.js';
import { serviceError } from '../protocol/service-error.js';
import type { CallContext } from './failure.js';

/** The error of a file that did not come, or not whole. */
export const downloadFailed = (
  filename: string,
  reason: string,
  { endpoint }: Pick<CallContext, 'endpoint'>,
  status?: number,
): ServiceError =>
  serviceError('DownloadFailed', {
    message: `The file ${filename} could not be fetched: ${reason}.`,
    endpoint,
    filename,
    reason,
    ...(status === undefined ? {} : { status }),
  });

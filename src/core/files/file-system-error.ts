import type { ServiceError, ServiceErrorOf } from '../errors/errors.js';
import { serviceError } from '../errors/service-error.js';

/** The error of a file that can't be read or written, by the system's own code. */
export const fileSystemError = (cause: unknown, path: string): ServiceErrorOf<'FileSystem'> => {
  const code =
    typeof cause === 'object' && cause !== null && 'code' in cause && typeof cause.code === 'string'
      ? cause.code
      : 'EUNKNOWN';
  return serviceError('FileSystem', { message: `${path} cannot be used (${code}).`, code, path });
};

/** The error of a download where there is nothing to download to. */
export const noDisk = (): ServiceError =>
  serviceError('InvalidConfig', {
    option: 'dir',
    message: 'There is no disk to download to here: read the files with rest.view instead.',
  });

import type { ServiceErrorOf } from '../protocol/errors/errors.js';
import { serviceError } from '../protocol/errors/service-error.js';

/** The error of a file that can't be read or written, by the system's own code. */
export const fileSystemError = (cause: unknown, path: string): ServiceErrorOf<'FileSystem'> => {
  const code =
    typeof cause === 'object' && cause !== null && 'code' in cause && typeof cause.code === 'string'
      ? cause.code
      : 'EUNKNOWN';
  return serviceError('FileSystem', { message: `${path} cannot be used (${code}).`, code, path });
};

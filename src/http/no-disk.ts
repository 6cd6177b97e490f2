import type { ServiceError } from '../protocol/errors/errors.js';
import { serviceError } from '../protocol/errors/service-error.js';

/** The error of a download where there is nothing to download to. */
export const noDisk = (): ServiceError =>
  serviceError('InvalidConfig', {
    option: 'dir',
    message: 'There is no disk to download to here: read the files with rest.view instead.',
  });

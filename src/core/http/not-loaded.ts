import { networkError } from '../errors/service-error.js';
import type { ServiceErrorOf } from '../errors/errors.js';

/** The error of a call whose part of the client could not be imported; nothing was sent. */
export const notLoaded = (): ServiceErrorOf<'Network'> =>
  networkError({
    endpoint: 'import()',
    code: 'EIMPORT',
    message: 'a part of the client could not be loaded.',
    sent: false,
  });

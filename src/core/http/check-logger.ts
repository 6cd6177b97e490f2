import { isLogger, type Logger } from '../log/logger.js';
import { serviceError } from '../errors/service-error.js';

/** Throws `InvalidConfig` where the option `logger` is set and no logger. */
export const checkLogger = (logger: Logger | undefined): void => {
  if (logger === undefined || isLogger(logger)) return;
  const message = 'logger takes an object with debug, info, warn and error, such as console.';
  throw serviceError('InvalidConfig', { option: 'logger', message });
};

import type { GatewayOptions } from './options.js';
import { checkLogger } from '../../core/http/check-logger.js';
import { isServiceError } from '../../core/errors/service-error.js';
import { readLogger } from '../../core/log/logger.js';

/** The same options, whose `accessLog` and `onError` go to the logger as well. Throws `InvalidConfig` for what is no logger. */
export const withLogger = (options: GatewayOptions): GatewayOptions => {
  checkLogger(options.logger);
  const logger = readLogger(options.logger);
  if (logger === undefined) return options;
  return {
    ...options,
    accessLog: (entry) => {
      const { method, path, status, ms, caller, requestId } = entry;
      logger.debug(`${method} ${path}: ${status}`, { status, ms: Math.round(ms), caller, requestId });
      options.accessLog?.(entry);
    },
    onError: (error) => {
      const stack = error instanceof Error ? error.stack : undefined;
      const requestId = isServiceError(error) ? error.requestId : undefined;
      logger.error(`A handler threw: ${String(error)}`, { requestId, stack });
      options.onError?.(error);
    },
  };
};

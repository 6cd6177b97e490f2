import type { Clock } from '../platform/platform.js';
import type { Logger } from '../log/logger.js';

/** Logs how one request fares. */
export interface RequestLog {
  /** Its answer has begun. */
  readonly answered: (status: number, requestId: string | undefined) => void;
  /** It got none. */
  readonly failed: (reason: string) => void;
}

/** Begins the entry of a request by `METHOD /path`; undefined if there is no logger. */
export const logRequest = (
  logger: Logger | undefined,
  endpoint: string,
  { now }: Pick<Clock, 'now'>,
): RequestLog | undefined => {
  if (logger === undefined) return undefined;
  const startedAt = now();
  const ms = (): number => Math.round(now() - startedAt);
  return {
    answered: (status, requestId) => logger.debug(`${endpoint}: ${status}`, { status, ms: ms(), requestId }),
    failed: (reason) => logger.debug(`${endpoint}: no answer`, { ms: ms(), reason }),
  };
};

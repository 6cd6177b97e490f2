import type { Logger } from '../../core/log/logger.js';
import type { RemoteConnection } from './connection.js';

/** Logs how the stream of a remote fares. */
export const logConnection = (logger: Logger | undefined, state: RemoteConnection): void => {
  if (state._tag === 'waiting')
    logger?.warn(`The stream is lost: ${state.reason}`, { delayMs: Math.round(state.delayMs) });
  else if (state._tag === 'failed') logger?.error(`The stream failed: ${state.reason}`, {});
  else logger?.[state._tag === 'open' ? 'info' : 'debug'](`The stream is ${state._tag}.`, {});
};

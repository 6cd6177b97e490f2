import type { ClientStop } from '../core/http/client-stop.js';
import type { ConnectionState } from '../core/socket/connection-state.js';
import { isTerminal } from '../core/state/job-state.js';
import type { JobTracker } from './jobs/tracker.js';
import type { Logger } from '../core/log/logger.js';
import { type Observable, tap } from 'rxjs';

/** Logs the connection of a client and the refusals that stop it, until both complete. */
export const logConnection = (
  logger: Logger,
  connection: Observable<ConnectionState>,
  stops: Observable<ClientStop>,
): void => {
  // eslint-disable-next-line rxjs-x/no-ignored-error -- it never errors.
  connection.subscribe((state) => logState(logger, state));
  // eslint-disable-next-line rxjs-x/no-ignored-error -- they never error.
  stops.subscribe((stop) => {
    if (stop._tag !== 'none')
      logger.error(`Submissions stopped: ${stop.reason}`, {
        cause: stop._tag,
        requestId: stop.error.requestId,
      });
  });
};

const logState = (logger: Logger, state: ConnectionState): void => {
  if (state._tag === 'open') logger.info('The connection is open.', { clientId: state.clientId });
  else if (state._tag === 'waiting')
    logger.warn(`The connection is lost: ${state.reason}`, {
      attempt: state.attempt,
      delayMs: Math.round(state.delayMs),
    });
  else if (state._tag === 'suspended') logger.warn(`No connection for two minutes: ${state.reason}`, {});
  else if (state._tag === 'failed')
    logger.error(`The connection failed: ${state.reason}`, { cause: state.cause });
  else logger.debug(`The connection is ${state._tag}.`, {});
};

/** The same tracker, which logs each job that it begins to follow, and its end. */
export const loggedTracker = (logger: Logger, tracker: JobTracker): JobTracker => ({
  ...tracker,
  track: (tracked) => {
    const { promptId } = tracked.initial;
    return tracker.track(tracked).pipe(
      tap({
        subscribe: () => logger.info(`Job ${promptId} is followed.`, { promptId }),
        next: ({ phase, failure }) => {
          if (!isTerminal(phase)) return;
          const entry = [
            `Job ${promptId} is ${phase}.`,
            { promptId, failure: failure?.exceptionMessage },
          ] as const;
          if (phase === 'completed') logger.info(...entry);
          else logger.warn(...entry);
        },
        error: (error: unknown) =>
          logger.warn(`Job ${promptId} can't be followed any more.`, { promptId, error: String(error) }),
      }),
    );
  },
});

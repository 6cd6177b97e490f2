import type { Clock } from '../../../core/platform/platform.js';
import { defer, EMPTY, filter, firstValueFrom, merge, retry, take } from 'rxjs';
import { fromAbortSignal } from '../../../core/interop/from-abort-signal.js';
import { serialQueues } from '../../../core/interop/serial-queues.js';
import { timerOn } from '../../../core/platform/timer.js';

/** Puts what concerns the log of one owner in order, so that positions are published in the order of the log. */
export interface OwnerLogWriter {
  /** Does work after all earlier work of the owner, in a later turn; settles as the work does. */
  readonly inOrder: (owner: string, work: () => Promise<void>) => Promise<void>;
  /** Asks the log until it answers, as long as `isWanted`; undefined if it did not by then, or the gateway stops. */
  readonly retryUntilStored: <Answer>(
    isWanted: () => boolean,
    ask: () => Promise<Answer>,
  ) => Promise<Answer | undefined>;
  /** Resolves once all work so far is done. */
  readonly settled: () => Promise<void>;
}

/** How long to wait before an event that could not be stored is stored again. */
const retryDelayMs = 1_000;

/** Makes an {@link OwnerLogWriter}. */
export const ownerLogWriter = (clock: Clock, stopped: AbortSignal): OwnerLogWriter => {
  const owners = serialQueues();
  return {
    inOrder: owners.run,
    retryUntilStored: (isWanted, ask) =>
      firstValueFrom(
        defer(() => (isWanted() ? ask() : EMPTY)).pipe(
          retry({
            delay: () =>
              stopped.aborted
                ? EMPTY
                : merge(timerOn(clock, retryDelayMs, { background: true }), fromAbortSignal(stopped)).pipe(
                    take(1),
                    filter(isWanted),
                  ),
          }),
        ),
        { defaultValue: undefined },
      ),
    settled: owners.settled,
  };
};

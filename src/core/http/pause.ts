import type { Clock } from '../platform/platform.js';
import type { Ending } from './call-scope.js';
import { onAbort } from '../interop/on-abort.js';

/** What can end a wait. */
export interface PauseOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly closed?: AbortSignal | undefined;
  /** Ends a wait like `signal`, but never a request. */
  readonly withdrawn?: AbortSignal | undefined;
}

/**
 * Waits on the platform's clock, or until `over` settles; resolves with what cut the wait short, if anything did.
 */
export const pause = (
  { clock, timeoutMs, signal, closed, withdrawn }: PauseOptions,
  over?: Promise<void>,
): Promise<CutShort | undefined> => {
  if (closed?.aborted === true) return Promise.resolve('closed');
  if (signal?.aborted === true || withdrawn?.aborted === true) return Promise.resolve('aborted');
  return new Promise((resolve) => {
    const done = (ending?: CutShort): void => {
      cancelTimer();
      for (const stopListening of listening) stopListening();
      resolve(ending);
    };
    const listening = [
      onAbort(closed, () => done('closed')),
      onAbort(signal, () => done('aborted')),
      onAbort(withdrawn, () => done('aborted')),
    ];
    const cancelTimer = clock.after(timeoutMs, () => done());
    void over?.then(() => done());
  });
};

type CutShort = Exclude<Ending, 'timeout'>;

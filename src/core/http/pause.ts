import type { Clock } from '../platform/platform.js';
import type { Ending } from './call-scope.js';
import { onAbort } from '../interop/on-abort.js';
import type { Subscription } from 'rxjs';

/** What can end a wait. */
export interface PauseOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly closed?: AbortSignal | undefined;
  /** Its end ends a wait like `signal`, but never a request. */
  readonly withdrawal?: Subscription | undefined;
}

/**
 * Waits on the platform's clock, or until `over` settles; resolves with what cut the wait short, if anything did.
 */
export const pause = (
  { clock, timeoutMs, signal, closed, withdrawal }: PauseOptions,
  over?: Promise<void>,
): Promise<CutShort | undefined> => {
  if (closed?.aborted === true) return Promise.resolve('closed');
  if (signal?.aborted === true || withdrawal?.closed === true) return Promise.resolve('aborted');
  return new Promise((resolve) => {
    const withdrawn = (): void => done('aborted');
    const done = (ending?: CutShort): void => {
      cancelTimer();
      for (const stopListening of listening) stopListening();
      withdrawal?.remove(withdrawn);
      resolve(ending);
    };
    const listening = [onAbort(closed, () => done('closed')), onAbort(signal, () => done('aborted'))];
    withdrawal?.add(withdrawn);
    const cancelTimer = clock.after(timeoutMs, () => done());
    void over?.then(() => done());
  });
};

type CutShort = Exclude<Ending, 'timeout'>;

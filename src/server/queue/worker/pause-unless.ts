import type { Clock } from '../../../core/platform/platform.js';
import { fromAbortSignal } from '../../../core/interop/from-abort-signal.js';
import { map, merge, take } from 'rxjs';
import { timerOn } from '../../../core/platform/timer.js';

/** Resolves after `ms` milliseconds; rejects with {@link WorkerStops} once the signal fires. */
export const pauseUnless = (clock: Clock, signal: AbortSignal, ms: number): Promise<void> => {
  const stopped = fromAbortSignal(signal).pipe(
    map(() => {
      throw new WorkerStops();
    }),
  );
  return merge(timerOn(clock, ms), stopped)
    .pipe(take(1))
    .forEach(() => undefined);
};

/** Ends what waits in a worker that stops, or that has lost the slot token. */
export class WorkerStops extends Error {
  override readonly name = 'WorkerStops';
}

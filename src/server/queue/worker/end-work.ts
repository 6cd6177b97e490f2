import type { Clock } from '../../../core/platform/platform.js';
import { defer, filter, firstValueFrom, race } from 'rxjs';
import { intervalOn, timerOn } from '../../../core/platform/timer.js';
import type { Work } from './open-work.js';

/** How long a submission under way may wait for its answer, in milliseconds. */
const longestAnswerMs = 35_000;
/** How long it waits beyond its grace for a Redis that is unreachable, in milliseconds: without it nothing can be handed over or kept. */
const longestAwayMs = 3_000;
/** How often a worker that ends checks whether anything keeps it, in milliseconds. */
const checkEveryMs = 500;

/** The work of a worker that closes. */
export interface EndingWork {
  readonly clock: Pick<Clock, 'after' | 'now'>;
  /** Undefined where it could not begin. */
  readonly work: Pick<Work, 'running' | 'finish' | 'close'> | undefined;
  /** Whether the store is unreachable. */
  readonly isAway: () => boolean;
  /** Has the jobs that still run handed over to other workers. */
  readonly stop: () => void;
}

/**
 * Ends the work of a worker: jobs may come to their ends for `graceMs`, and what still runs then is handed over.
 *
 * A submission under way gets its answer first, for at most 35 s. While the store is unreachable a job can't be handed over: another worker
 * takes it once its lock is over, so that this one waits for 3 s beyond the grace, and not at all where nothing runs.
 */
export const endWork = async ({ clock, work, isAway, stop }: EndingWork, graceMs: number): Promise<void> => {
  const cancelStop = clock.after(graceMs, stop);
  const finished = defer(async () => {
    await work?.finish();
    stop();
    await work?.close();
  });
  const enough = timerOn(clock, graceMs + longestAnswerMs);
  const awayAt = clock.now() + graceMs + longestAwayMs;
  const away = intervalOn(clock, checkEveryMs).pipe(
    filter(() => isAway() && (work?.running() === 0 || clock.now() >= awayAt)),
  );
  try {
    await firstValueFrom(race(finished, enough, away), { defaultValue: undefined });
  } finally {
    cancelStop();
    stop();
    work?.close().catch(() => undefined);
  }
};

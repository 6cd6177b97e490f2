import { catchError, filter, firstValueFrom, map, merge, type Observable } from 'rxjs';
import { exhaustMapWithTrailing } from '../../../core/interop/exhaust-map-with-trailing.js';
import { fromAbortSignal } from '../../../core/interop/from-abort-signal.js';
import { isTerminal } from '../../../core/state/job-state.js';
import type { JobLog } from './job-log.js';
import type { JobState } from '../../../core/state/job-state.js';

/** How the following of a job ended: with the job, with the hold on it, or because the worker stops. */
export type Followed = 'ended' | 'lost' | 'stopped';

/**
 * Writes the states of a job to its log until its end.
 *
 * While the store is unreachable, only the newest state waits to be written. An error of the states, which a failed job is not, rejects.
 */
export const followJob = (
  states: Observable<JobState>,
  log: Pick<JobLog, 'move'>,
  signal: AbortSignal,
): Promise<Followed> => {
  const stopped = fromAbortSignal(signal).pipe(map(() => 'stopped' as const));
  const written = states.pipe(
    exhaustMapWithTrailing(async (state) => {
      if (!(await log.move(state))) return 'lost';
      return isTerminal(state.phase) ? 'ended' : 'written';
    }),
    filter((how) => how !== 'written'),
  );
  return firstValueFrom(
    merge(stopped, written).pipe(
      catchError((error: unknown) => {
        throw error instanceof Error ? error : new Error(String(error));
      }),
    ),
    { defaultValue: 'stopped' },
  );
};

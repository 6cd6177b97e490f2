import { isTerminal } from '../../../core/state/job-state.js';
import type { JobLog } from './job-log.js';
import type { JobState } from '../../../core/state/job-state.js';
import type { Observable } from 'rxjs';

/** How the following of a job ended: with the job, with the hold on it, or because the worker stops. */
export type Followed = 'ended' | 'lost' | 'stopped';

/**
 * Writes the states of a job to its log until its end.
 *
 * While the store is away, only the newest state waits to be written. An error of the states that is none of the job rejects.
 */
export const followJob = (
  states: Observable<JobState>,
  log: JobLog,
  signal: AbortSignal,
): Promise<Followed> =>
  new Promise((resolve, reject) => {
    let newest: JobState | undefined;
    let isWriting = false;
    let isOver = false;
    const end = (how: Followed): void => {
      subscription.unsubscribe();
      signal.removeEventListener('abort', stop);
      resolve(how);
    };
    const stop = (): void => end('stopped');
    const fail = (error: unknown): void => {
      subscription.unsubscribe();
      signal.removeEventListener('abort', stop);
      reject(error instanceof Error ? error : new Error(String(error)));
    };
    const write = async (): Promise<void> => {
      isWriting = true;
      while (newest !== undefined) {
        const state = newest;
        newest = undefined;
        if (!(await log.move(state))) {
          end('lost');
          return;
        }
        if (isTerminal(state.phase)) isOver = true;
      }
      isWriting = false;
      if (isOver) end('ended');
    };
    signal.addEventListener('abort', stop);
    const subscription = states.subscribe({
      next: (state) => {
        newest = state;
        if (!isWriting) write().catch(fail);
      },
      error: fail,
    });
    if (signal.aborted) stop();
  });

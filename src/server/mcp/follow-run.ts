import { combineLatest, lastValueFrom, map, merge, type Observable, startWith, takeWhile, tap } from 'rxjs';
import type { Clock } from '../../core/platform/platform.js';
import { realClock } from '../../core/platform/clock.js';
import { timerOn } from '../../core/platform/timer.js';
import { fromAbortSignal } from '../../core/interop/from-abort-signal.js';
import { isTerminal, type JobState } from '../../core/state/job-state.js';
import { serviceError } from '../../core/errors/service-error.js';
import type { ToolCall } from './tools/tool.js';

/** How a run was left: it has ended, its time has passed, or the host has cancelled the request. */
export interface LeftRun {
  readonly state: JobState;
  readonly why: 'ended' | 'late' | 'cancelled';
}

/**
 * Follows a run until it ends, `seconds` have passed or the request is cancelled; the last two wait for the id of the job. It tells the
 * host how far the job is, and leaves the job alone. Rejects with what the states error with.
 */
export const followRun = async (
  states: Observable<JobState>,
  seconds: number,
  { signal, progress }: Pick<ToolCall, 'signal' | 'progress'>,
  clock: Clock = realClock,
): Promise<LeftRun> => {
  const stops = merge(
    timerOn(clock, seconds * 1000).pipe(map(() => 'late' as const)),
    fromAbortSignal(signal).pipe(map(() => 'cancelled' as const)),
  );
  const left = await lastValueFrom(
    combineLatest([
      states.pipe(tap((each) => progress(each.progress, doing(each)))),
      stops.pipe(startWith(undefined)),
    ]).pipe(
      takeWhile(
        ([each, stopped]) => !isTerminal(each.phase) && (stopped === undefined || each.promptId === ''),
        true,
      ),
    ),
    { defaultValue: undefined },
  );
  if (left === undefined) throw serviceError('Closed', { message: 'The client was closed.' });
  const [state, stop] = left;
  return { state, why: isTerminal(state.phase) ? 'ended' : (stop ?? 'ended') };
};

const doing = ({ phase, nodes, queue }: JobState): string => {
  const running = Object.values(nodes).find((node) => node.phase === 'running');
  if (running !== undefined)
    return `${phase}: node ${running.displayNodeId}, ${running.value} of ${running.max}`;
  return queue === undefined ? phase : `${phase}: waits in the queue`;
};

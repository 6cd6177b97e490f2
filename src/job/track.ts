import {
  catchError,
  concat,
  connect,
  defer,
  distinctUntilChanged,
  filter,
  from,
  map,
  merge,
  mergeMap,
  type Observable,
  scan,
  share,
  startWith,
  take,
  takeWhile,
  tap,
  throwError,
} from 'rxjs';
import type { Frame } from '../protocol/frames/frame.js';
import type { JobEvent } from '../protocol/state/job-event.js';
import { isTerminal } from '../protocol/state/job-phase.js';
import type { JobState } from '../protocol/state/job-state.js';
import { isServiceError, serviceError } from '../protocol/errors/service-error.js';
import { stepJobState } from '../protocol/state/step-job-state.js';
import { confirmEnd } from './confirm-end.js';
import type { JobContext } from './job-context.js';
import { jobEnd } from './job-end.js';
import { occasions } from './occasions.js';
import { reconcile } from './reconcile.js';

/** The job to follow and what is known of it. */
export interface Tracked {
  readonly initial: JobState;
  /** Whether the service is known to have known the job. */
  readonly sighted: boolean;
  /** The job's frames; the subscription begins with what was kept from before. */
  readonly frames: Observable<Frame>;
  /** The id of the socket that the job's events go to, where they go to one only (local dialect). */
  readonly boundTo?: string;
}

/**
 * Follows one job to its end: the socket's frames and REST's answers enter one fold.
 *
 * On subscribe it emits the initial state, then each newer one; after the terminal state, which is emitted once history
 * has confirmed it (or could not), it completes. Requests that fail are made again on the next occasion; it errors only
 * where no source can be asked any more. Unsubscribing stops watching and leaves the job alone.
 */
export const track = (
  context: JobContext,
  { initial, sighted, frames, boundTo }: Tracked,
): Observable<JobState> =>
  defer(() => {
    const { promptId } = initial;
    let state = initial;
    const { clock } = context.platform;
    const beganAt = clock.now();
    let heardAt: number | undefined;

    // `connect` subscribes to the frames only when everybody below listens: the kept ones come at once, all together.
    return frames.pipe(
      tap(() => (heardAt = clock.now())),
      connect((live) => {
        const looked = occasions(context, {
          frames: live,
          heardAt: () => heardAt,
          atOnce: !sighted,
          boundTo,
          cancelled: context.cancelled.pipe(filter((id) => id === promptId)),
        }).pipe(
          reconcile(context, { promptId, sightedAt: () => heardAt ?? (sighted ? beganAt : undefined) }),
          share(),
        );
        const learnt: Observable<JobEvent> = merge(live, looked);
        const end = learnt.pipe(
          map(jobEnd),
          filter((found) => found !== undefined),
          take(1),
          mergeMap((found) => confirmEnd(context, found, () => state.outputs)),
        );
        return merge(learnt.pipe(filter((event) => jobEnd(event) === undefined)), end);
      }),
      scan(stepJobState, initial),
      startWith(initial),
      distinctUntilChanged(),
      tap((next) => (state = next)),
      takeWhile(({ phase }) => !isTerminal(phase), true),
      catchError((error: unknown) => throwError(() => ofJob(error, promptId))),
    );
  });

/** The client's end is told with the job that it leaves alone, so that it can be followed again. */
const ofJob = (error: unknown, promptId: string): unknown =>
  isServiceError(error) && error._tag === 'Closed' && error.promptId === undefined
    ? serviceError('Closed', { promptId })
    : error;

/** Joins frames that were kept for a job to those that come, without a gap: both are taken in one turn. */
export const withClaimed = (claim: () => readonly Frame[], coming: Observable<Frame>): Observable<Frame> =>
  concat(
    defer(() => from(claim())),
    coming,
  );

import * as E from '../protocol/either.js';
import { Observable, Subject } from 'rxjs';
import { asyncValues } from '../interop/async-values.js';
import { toTaskEither } from '../interop/to-task-either.js';
import type { ServiceError } from '../protocol/errors/errors.js';
import type { JobState } from '../protocol/state/job-state.js';
import { unknownFailure } from '../protocol/state/unknown-failure.js';
import type { Outputs } from '../protocol/outputs/outputs.js';
import { isServiceError, serviceError } from '../protocol/errors/service-error.js';
import { onePlace } from '../streams/one-place.js';
import { cancelJob } from './cancel-job.js';
import type { Tracked } from './followed-job.js';
import type { JobContext } from './job-context.js';
import type { Job } from './job.js';

/**
 * Makes the handle of a job, which is followed from now on until its end or the client's, subscribers or not; `settled` is
 * called then.
 */
export const jobHandle = (context: JobContext, tracked: Tracked, settled?: () => void): Job => {
  const { promptId } = tracked.initial;
  const kept = context.frames.open();
  const live = new Subject<JobState>();
  let latest = tracked.isQuiet === true ? undefined : tracked.initial;
  context.tracker.track({ ...tracked, heard: kept.next }).subscribe({
    next: (state) => live.next((latest = state)),
    error: (error: unknown) => {
      settled?.();
      // Frames promise no end of the job, so that the end of the client is one without an error.
      if (isServiceError(error) && error._tag === 'Closed') kept.complete();
      else kept.error(error);
      live.error(error);
    },
    complete: () => {
      settled?.();
      kept.complete();
      live.complete();
    },
  });
  // A `ReplaySubject` of one state would do the same, and bring its clock along.
  const states = new Observable<JobState>((subscriber) => {
    let told: JobState | undefined;
    // A subscriber may make the next one come while it is told of this one.
    while (latest !== undefined && told !== latest) subscriber.next((told = latest));
    live.subscribe(subscriber);
  });

  return {
    promptId,
    states,
    frames: kept.frames,
    cancel: (options) => cancelJob(context, promptId, options),
    outputs: async () => {
      const last = await toTaskEither(states)();
      return E.isLeft(last) ? last : outputsOf(last.right);
    },
    // Whoever is slow gets the newest state; the terminal one is never dropped.
    [Symbol.asyncIterator]: () => asyncValues(states, onePlace()),
  };
};

const outputsOf = ({
  phase,
  promptId,
  outputs,
  outputsComplete,
  failure,
}: JobState): E.Either<ServiceError, Outputs> => {
  switch (phase) {
    case 'completed':
      return outputsComplete
        ? E.right(outputs)
        : E.left(serviceError('OutputsIncomplete', { promptId, outputs }));
    case 'cancelled':
      return E.left(serviceError('JobCancelled', { promptId }));
    case 'failed':
      return E.left(serviceError('JobFailed', { promptId, failure: failure ?? unknownFailure() }));
    default:
      return E.left(
        serviceError('NotFound', { promptId, message: 'Neither status nor history knows the job any more.' }),
      );
  }
};

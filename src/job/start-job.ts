import * as E from '../protocol/either.js';
import { Observable, Subject } from 'rxjs';
import { asyncValues } from '../interop/async-values.js';
import { toTaskEither } from '../interop/to-task-either.js';
import type { ServiceError } from '../protocol/errors/errors.js';
import type { JobState } from '../protocol/state/job-state.js';
import { unknownFailure } from '../protocol/state/unknown-failure.js';
import type { Outputs } from '../protocol/outputs/outputs.js';
import { serviceError } from '../protocol/errors/service-error.js';
import type { Workflow } from '../protocol/workflow/workflow.js';
import { onePlace } from '../streams/one-place.js';
import type { Accepted } from './accept.js';
import { acceptedJob } from './accepted-job.js';
import { cancelJob } from './cancel-job.js';
import type { JobContext } from './job-context.js';
import type { Job } from './job.js';

/** Makes the handle of an accepted job, which is followed from now on until its end or the client's, subscribers or not. */
export const startJob = (context: JobContext, workflow: Workflow, accepted: Accepted): Job => {
  const { promptId } = accepted.submission;
  const kept = context.frames.open();
  const job = acceptedJob(context, workflow, accepted);
  const live = new Subject<JobState>();
  const settled = context.work.begin();
  let latest = job.initial;
  context.tracker.track({ ...job, heard: kept.next }).subscribe({
    next: (state) => live.next((latest = state)),
    error: (error: unknown) => {
      settled();
      kept.error(error);
      live.error(error);
    },
    complete: () => {
      settled();
      kept.complete();
      live.complete();
    },
  });
  // A `ReplaySubject` of one state would do the same, and bring its clock along.
  const states = new Observable<JobState>((subscriber) => {
    let told: JobState | undefined;
    // A subscriber may make the next one come while it is told of this one.
    while (told !== latest) subscriber.next((told = latest));
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

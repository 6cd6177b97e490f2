import * as E from '../protocol/either.js';
import { ReplaySubject, tap } from 'rxjs';
import { toAsyncIterable } from '../interop/to-async-iterable.js';
import { toTaskEither } from '../interop/to-task-either.js';
import type { ServiceError } from '../protocol/errors/errors.js';
import { initialJobState } from '../protocol/state/initial-job-state.js';
import type { JobState } from '../protocol/state/job-state.js';
import { unknownFailure } from '../protocol/state/unknown-failure.js';
import type { Outputs } from '../protocol/outputs/outputs.js';
import { serviceError } from '../protocol/errors/service-error.js';
import type { Workflow } from '../protocol/workflow/workflow.js';
import type { Accepted } from './accept.js';
import { acceptedJob } from './accepted-job.js';
import { cancelJob } from './cancel-job.js';
import type { JobContext } from './job-context.js';
import type { Job } from './job.js';
import { keepUntilTaken } from './keep-until-taken.js';

/** Makes the handle of an accepted job, which is followed from now on until its end or the client's, subscribers or not. */
export const startJob = (context: JobContext, workflow: Workflow, accepted: Accepted): Job => {
  const { promptId } = accepted.submission;
  const kept = keepUntilTaken();
  const states = new ReplaySubject<JobState>(1);
  const job = acceptedJob(context, initialJobState({ workflow }), accepted);
  context.tracker
    .track({ ...job, heard: kept.next })
    .pipe(tap({ error: kept.error, complete: kept.complete }))
    .subscribe(states);

  return {
    promptId,
    states: states.asObservable(),
    frames: kept.frames,
    cancel: (options) => cancelJob(context, promptId, options),
    outputs: async () => {
      const last = await toTaskEither(states)();
      return E.isLeft(last) ? last : outputsOf(last.right);
    },
    // Whoever is slow gets the newest state; the terminal one is never dropped.
    [Symbol.asyncIterator]: () => toAsyncIterable(states, { overflow: 'latest' }),
  };
};

const outputsOf = ({ phase, promptId, outputs, failure }: JobState): E.Either<ServiceError, Outputs> => {
  switch (phase) {
    case 'completed':
      return E.right(outputs);
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

import * as E from '../protocol/either.js';
import { ReplaySubject, share, tap } from 'rxjs';
import { toAsyncIterable } from '../interop/to-async-iterable.js';
import { toTaskEither } from '../interop/to-task-either.js';
import type { ServiceError } from '../protocol/errors/errors.js';
import { initialJobState } from '../protocol/state/initial-job-state.js';
import type { JobState } from '../protocol/state/job-state.js';
import type { Outputs } from '../protocol/outputs/outputs.js';
import { serviceError } from '../protocol/errors/service-error.js';
import { stepJobState } from '../protocol/state/step-job-state.js';
import type { Workflow } from '../protocol/workflow/workflow.js';
import type { Accepted } from './accept.js';
import { cancelJob } from './cancel-job.js';
import type { JobContext } from './job-context.js';
import type { Job } from './job.js';
import { keepUntilTaken } from './keep-until-taken.js';
import { track, withClaimed } from './track.js';

/**
 * Makes the handle of an accepted job. Its states begin with the first subscriber and go on without any, so whoever
 * makes it subscribes at once and for the job's whole life.
 */
export const startJob = (context: JobContext, workflow: Workflow, accepted: Accepted): Job => {
  const { promptId, nodeErrors } = accepted.submission;
  const kept = keepUntilTaken();

  const states = track(context, {
    initial: stepJobState(initialJobState({ workflow }), { _tag: 'Accepted', promptId, nodeErrors }),
    sighted: true,
    frames: withClaimed(accepted.claim, context.source.ofPrompt(promptId)).pipe(tap(kept.next)),
    boundTo: context.dialect === 'local' ? accepted.clientId : undefined,
  }).pipe(
    tap({ error: kept.error, complete: kept.complete }),
    share({
      connector: () => new ReplaySubject(1),
      resetOnComplete: false,
      resetOnError: false,
      resetOnRefCountZero: false,
    }),
  );

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
      return E.left(
        serviceError('JobFailed', {
          promptId,
          failure: failure ?? {
            exceptionType: 'Unknown',
            exceptionMessage: '',
            traceback: [],
            nodeErrors: {},
          },
        }),
      );
    default:
      return E.left(
        serviceError('NotFound', { promptId, message: 'Neither status nor history knows the job any more.' }),
      );
  }
};

import type { Call } from '../../core/interop/call.js';
import type { CallOptions } from '../../core/http/rest.js';
import { cancelJob } from './cancel-job.js';
import * as E from '../../core/protocol/either.js';
import type { Frame } from '../../core/protocol/frames/frame.js';
import { isServiceError } from '../../core/errors/service-error.js';
import type { JobContext } from './job-context.js';
import type { JobState } from '../../core/state/job-state.js';
import { type Observable, ReplaySubject } from 'rxjs';
import { outputsOf } from '../../core/errors/outputs-of.js';
import type { Outputs } from '../../core/state/outputs.js';
import type { Problem } from '../../core/protocol/problem.js';
import { toAsyncIterable } from '../../core/interop/to-async-iterable.js';
import { toTaskEither } from '../../core/interop/to-task-either.js';
import type { Tracked } from './tracked.js';

/**
 * One job of the service, by `client.submit` or `client.job`: the client follows it to its end with and without subscribers.
 *
 * `for await (const state of job)` iterates over its states: a slow loop gets the newest one and always the terminal one.
 *
 * @example
 * ```ts
 * import type { Job } from 'promptwire';
 *
 * const print = async (job: Job): Promise<void> => {
 *   for await (const { phase, progress } of job) console.log(phase, progress);
 * };
 * ```
 */
export interface Job extends AsyncIterable<JobState> {
  /** The service's id of the job, which `client.follow` takes in any other program. */
  readonly promptId: string;
  /**
   * What was found before the submission, as `JobState.problems` has it: warnings about integers that may have been rounded
   * (`rounded_integer`), and with `validate` what the check found. Empty without any, and of a job by its id.
   *
   * @example
   * ```ts
   * import type { Job } from 'promptwire';
   *
   * const warn = ({ problems }: Job): void => {
   *   for (const { nodeId, input, message } of problems) console.warn(`${nodeId ?? ''} ${input ?? ''}: ${message}`);
   * };
   * ```
   */
  readonly problems: readonly Problem[];
  /**
   * Replays the latest state, then each newer one; completes after the terminal state.
   *
   * Subscribing submits nothing, and unsubscribing stops nothing. A job that fails or is cancelled is a state. Errors with a
   * `ServiceError` where the job can't be followed any more, as with `Closed`. By `client.job` the first state is the one that
   * the service reports, and an id that it does not know errors with `NotFound`.
   *
   * @example
   * ```ts
   * import { progress, type Job } from 'promptwire';
   *
   * const bar = (job: Job) => job.states.pipe(progress()).subscribe(({ value }) => console.log(`${Math.round(value * 100)} %`));
   * ```
   */
  readonly states: Observable<JobState>;
  /**
   * The job's frames: by `client.submit` from the very first, by `client.job` from that call on.
   *
   * A late subscriber first gets the earlier ones, as far as the client keeps them (option `keptFrames`). Completes with `states`,
   * and with the client.
   */
  readonly frames: Observable<Frame>;
  /**
   * Asks for the end of this job by its id; how it ended is what `states` says.
   *
   * Lazy. Right says that the service took the request; Left `CancelNotApplied` where the job goes on.
   */
  readonly cancel: (options?: CallOptions) => Call<void>;
  /**
   * Waits for the end and gives all outputs of the job; running it submits nothing.
   *
   * Left `JobFailed` or `JobCancelled` where it did not complete, `NotFound` where it became untraceable or never was, and
   * `OutputsIncomplete` with the known outputs where its record trailed for too long.
   *
   * @example
   * ```ts
   * import { outputFiles, toPromise, type Job } from 'promptwire';
   *
   * const names = async (job: Job) => outputFiles(await toPromise(job.outputs)).map(({ filename }) => filename);
   * ```
   */
  readonly outputs: Call<Outputs>;
}

/**
 * Makes the handle of a job, which is followed from now on until its end or the client's, subscribers or not; `settled` is
 * called then.
 */
export const jobHandle = (context: JobContext, tracked: Tracked, settled?: () => void): Job => {
  const { promptId } = tracked.initial;
  const kept = context.frames.open();
  const states = new ReplaySubject<JobState>(1);
  context.tracker.track({ ...tracked, onFrame: kept.next }).subscribe({
    next: (state) => states.next(state),
    error: (error: unknown) => {
      settled?.();
      // Frames promise no end of the job: they complete with the client.
      if (isServiceError(error) && error._tag === 'Closed') kept.complete();
      else kept.error(error);
      states.error(error);
    },
    complete: () => {
      settled?.();
      kept.complete();
      states.complete();
    },
  });

  const calls: Pick<Job, 'cancel'> = { cancel: (options) => cancelJob(context, promptId, options) };
  return {
    ...(context.countedCalls?.(calls, 'job.') ?? calls),
    promptId,
    problems: tracked.initial.problems ?? [],
    states: states.asObservable(),
    frames: kept.frames,
    outputs: async () => {
      const last = await toTaskEither(states)();
      return E.isLeft(last) ? last : outputsOf(last.right);
    },
    // A slow consumer gets the newest state; the terminal one is never dropped.
    [Symbol.asyncIterator]: () => toAsyncIterable(states, { overflow: 'latest' }),
  };
};

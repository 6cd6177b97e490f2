import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { Observable } from 'rxjs';
import type { ServiceError } from '../protocol/errors/errors.js';
import type { Frame } from '../protocol/frames/frame.js';
import type { JobState } from '../protocol/state/job-state.js';
import type { Outputs } from '../protocol/outputs/outputs.js';
import type { CallOptions } from '../http/rest.js';

/**
 * One job of the service, by `client.submit` or `client.job`: the client follows it to its end with and without subscribers.
 */
export interface Job extends AsyncIterable<JobState> {
  readonly promptId: string;
  /**
   * Replays the latest state, then each newer one; completes after the terminal state. By `client.job` the first state is the
   * one that the service tells, and an id that it does not know errors with `NotFound`.
   */
  readonly states: Observable<JobState>;
  /** The job's frames: by `client.submit` from the very first, by `client.job` from that call on; completes with `states`, and with the client. */
  readonly frames: Observable<Frame>;
  /** Asks for the end of this job by its id; how it ended is what `states` says. */
  readonly cancel: (options?: CallOptions) => TaskEither<ServiceError, void>;
  /**
   * Waits for the end and gives all outputs of the job.
   *
   * Left `JobFailed` or `JobCancelled` where it did not complete, `NotFound` where it became untraceable or never was, and
   * `OutputsIncomplete` with the outputs that were told where its record trailed for too long.
   */
  readonly outputs: TaskEither<ServiceError, Outputs>;
}

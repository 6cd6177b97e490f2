import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { Observable } from 'rxjs';
import type { ServiceError } from '../protocol/errors/errors.js';
import type { Frame } from '../protocol/frames/frame.js';
import type { JobState } from '../protocol/state/job-state.js';
import type { Outputs } from '../protocol/outputs/outputs.js';
import type { CallOptions } from '../http/rest.js';

/**
 * A job that the service accepted: followed to its end whether anybody subscribes or not, until the client closes.
 */
export interface Job extends AsyncIterable<JobState> {
  readonly promptId: string;
  /** Replays the latest state, then each newer one; completes after the terminal state. */
  readonly states: Observable<JobState>;
  /** The job's frames, beginning with what was kept from before the submission's answer. */
  readonly frames: Observable<Frame>;
  /** Asks for the end of this job by its id; how it ended is what `states` says. */
  readonly cancel: (options?: CallOptions) => TaskEither<ServiceError, void>;
  /**
   * Waits for the end and gives all outputs of the job.
   *
   * Left `JobFailed` or `JobCancelled` where it did not complete, `NotFound` where it became untraceable, and
   * `OutputsIncomplete` with the outputs that were told where its record trailed for too long.
   */
  readonly outputs: TaskEither<ServiceError, Outputs>;
}

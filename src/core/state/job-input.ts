import type { Frame } from '../protocol/frames/frame.js';
import type { JobFailure } from './failure.js';
import type { JobPhase } from './job-state.js';
import type { NodeErrors } from './node-errors.js';
import type { Outputs } from './outputs.js';
import type { QueuePlace } from './queue-place.js';

/** One piece of news about a job: a frame of the socket, or an answer of submission, status or history. */
export type JobInput =
  | Frame
  /** The service accepted the submission. */
  | {
      readonly _tag: 'Accepted';
      /** The job's id. */
      readonly promptId: string;
      /** Branches that the service dropped while it accepted the rest. */
      readonly nodeErrors: NodeErrors;
    }
  /** The status endpoint (a local server's queue) reported a phase. */
  | {
      readonly _tag: 'StatusRead';
      /** The job's id. */
      readonly promptId: string;
      /** The phase; a terminal one is the service's last word. */
      readonly phase: JobPhase;
      /** Why the job failed, where the answer says so. */
      readonly failure?: JobFailure;
      /** Where it stands in the queue, and why, while it waits. */
      readonly queue?: QueuePlace;
      /** The service's clock at the submission, in milliseconds since 1970, where the answer has it. */
      readonly queuedAt?: number;
      /** What has to be said of the answer. */
      readonly warning?: string;
    }
  /** History reported outputs and, where the job is over, how it ended. */
  | {
      readonly _tag: 'HistoryRead';
      /** The job's id. */
      readonly promptId: string;
      /** The outputs that the record lists. */
      readonly outputs: Outputs;
      /** How the job ended, where the record says so. */
      readonly phase?: 'completed' | 'failed' | 'cancelled';
      /** Why it failed, where the record says so. */
      readonly failure?: JobFailure;
      /** Whether the record has all outputs; otherwise they are a part and complete nothing. */
      readonly isFinal?: boolean;
      /** The service's clock at the start, in milliseconds since 1970, where the record has it. */
      readonly startedAt?: number;
      /** The service's clock at the end, in milliseconds since 1970, where the record has it. */
      readonly endedAt?: number;
      /** What has to be said of the end. */
      readonly warning?: string;
    }
  /** The service refused the submission, so there is no job. */
  | {
      readonly _tag: 'Refused';
      /** The refusal, as the failure of the job that did not come about. */
      readonly failure: JobFailure;
    }
  /** No source knows the job any more. */
  | {
      readonly _tag: 'Untraceable';
      /** The job's id. */
      readonly promptId: string;
    };

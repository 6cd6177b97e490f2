import type { Frame } from '../frames/frame.js';
import type { JobFailure } from './job-failure.js';
import type { JobPhase } from './job-phase.js';
import type { NodeErrors } from '../answers/node-errors.js';
import type { Outputs } from '../outputs/outputs.js';

/**
 * One thing that was learnt of a job, whatever bank of the river it came from: a frame of the socket, or an answer of
 * submission, status or history.
 */
export type JobEvent =
  | Frame
  /** The service accepted the submission. */
  | { readonly _tag: 'Accepted'; readonly promptId: string; readonly nodeErrors: NodeErrors }
  /** The status endpoint (or the queue, locally) told a phase. Terminal phases here are the service's last word. */
  | {
      readonly _tag: 'StatusRead';
      readonly promptId: string;
      readonly phase: JobPhase;
      readonly failure?: JobFailure;
    }
  /** History told outputs and, where the job is over, how it ended. */
  | {
      readonly _tag: 'HistoryRead';
      readonly promptId: string;
      readonly outputs: Outputs;
      readonly phase?: 'completed' | 'failed' | 'cancelled';
      readonly failure?: JobFailure;
      /** Whether all outputs are there that there will be: without it they are a part, which completes nothing. */
      readonly isFinal?: boolean;
      /** The service's clock, in milliseconds since 1970, where the record told. */
      readonly startedAt?: number;
      readonly endedAt?: number;
    }
  /** The submission was refused, so this job never was. */
  | { readonly _tag: 'Refused'; readonly failure: JobFailure }
  /** No source knows the job any more. */
  | { readonly _tag: 'Untraceable'; readonly promptId: string };

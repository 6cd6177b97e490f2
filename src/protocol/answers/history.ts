import type { JobFailure } from '../state/job-failure.js';
import type { JobPhase } from '../state/job-phase.js';
import type { Outputs } from '../outputs/outputs.js';

/** One job's record. */
export interface History {
  readonly promptId: string;
  readonly outputs: Outputs;
  /** How it ended, where the record says so. */
  readonly phase?: Extract<JobPhase, 'completed' | 'failed' | 'cancelled'>;
  readonly failure?: JobFailure;
  /** Whether the record tells its own end, by `status.completed` or by the message that ended the job; else more may come. */
  readonly isFinal: boolean;
  /** The service's clock at start and end, in milliseconds since 1970, where the record tells. */
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** The record as sent. */
  readonly record: Readonly<Record<string, unknown>>;
}

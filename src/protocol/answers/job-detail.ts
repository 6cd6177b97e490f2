import type { JobFailure } from '../state/job-failure.js';
import type { JobPhase } from '../state/job-phase.js';
import type { Outputs } from '../outputs/outputs.js';

/** What the jobs API tells of one job: newer than status and history, and not on every service. */
export interface JobDetail {
  readonly promptId: string;
  /** As on the wire. */
  readonly status: string;
  readonly phase: Extract<JobPhase, 'pending' | 'in_progress' | 'completed' | 'failed' | 'cancelled'>;
  readonly outputs: Outputs;
  /** How many outputs the job has made, where the service counts them; `outputs` may trail that number. */
  readonly outputsCount?: number;
  /** Why it failed, where the service told. */
  readonly failure?: JobFailure;
}

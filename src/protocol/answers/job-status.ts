import type { JobFailure } from '../state/job-failure.js';
import type { JobPhase } from '../state/job-phase.js';

/** The status endpoint's answer, its word already read as a phase (unknown and moving words: no terminal phase). */
export interface JobStatus {
  readonly promptId: string;
  /** As on the wire. */
  readonly status: string;
  readonly phase: Extract<JobPhase, 'pending' | 'in_progress' | 'completed' | 'failed' | 'cancelled'>;
  readonly failure?: JobFailure;
  readonly createdAt?: string;
  readonly updatedAt?: string;
}

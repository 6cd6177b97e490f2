import type { Cancellations } from './cancellations.js';
import type { JobLeases } from './job-leases.js';
import type { LostContext } from '../lost/follow-lost.js';
import type { SharedJobs } from '../registry/shared-jobs.js';
import type { Upstream } from '../upstream/upstream.js';

/** The jobs and services of one gateway, and its bounds, as its submissions share them. */
export interface SubmissionContext extends LostContext {
  readonly cancellations: Cancellations;
  readonly uuid: () => string;
  readonly held: JobLeases;
  readonly shared: SharedJobs;
  readonly stopped: AbortSignal;
  /** By name; the first one takes submissions that name no service. */
  readonly upstreams: Readonly<Record<string, Upstream>>;
  readonly retentionMs: number;
  /** How many jobs of one owner may be under way. */
  readonly jobsPerOwner: number;
  /** How many characters of the records of one owner may be kept. */
  readonly bytesPerOwner: number | undefined;
}

import type { Workflow } from '../protocol/workflow/workflow.js';
import type { Accepted } from './accept.js';
import { acceptedJob } from './accepted-job.js';
import type { JobContext } from './job-context.js';
import { jobHandle } from './job-handle.js';
import type { Job } from './job.js';

/** Makes the handle of an accepted job, which is followed from now on until its end or the client's, subscribers or not. */
export const startJob = (context: JobContext, workflow: Workflow, accepted: Accepted): Job =>
  jobHandle(context, acceptedJob(context, workflow, accepted), context.work.begin());

import { trackedById } from './follow.js';
import type { JobContext } from './job-context.js';
import { jobHandle } from './job-handle.js';
import type { Job } from './job.js';

/** Makes the handle of a job that exists already, which is followed from now on as by `follow`. */
export const existingJob = (context: JobContext, promptId: string): Job =>
  jobHandle(context, trackedById(context, promptId));

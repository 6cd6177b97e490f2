import type { JobState } from '../protocol/state/job-state.js';
import { stepJobState } from '../protocol/state/step-job-state.js';
import type { Accepted } from './accept.js';
import type { Tracked } from './followed-job.js';
import type { JobContext } from './job-context.js';

/** What to follow of a job that was just accepted, from its state while it was being submitted. */
export const acceptedJob = (
  { dialect }: Pick<JobContext, 'dialect'>,
  submitting: JobState,
  { submission: { promptId, nodeErrors }, claim, clientId }: Accepted,
): Tracked => ({
  initial: stepJobState(submitting, { _tag: 'Accepted', promptId, nodeErrors }),
  sighted: true,
  claim,
  submittedOn: clientId,
  boundTo: dialect === 'local' ? clientId : undefined,
});

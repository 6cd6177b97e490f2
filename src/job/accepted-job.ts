import { initialJobState } from '../protocol/state/initial-job-state.js';
import type { Workflow } from '../protocol/workflow/workflow.js';
import type { Accepted } from './accept.js';
import type { Tracked } from './followed-job.js';
import type { JobContext } from './job-context.js';

/** What to follow of a job that was just accepted. */
export const acceptedJob = (
  { dialect }: Pick<JobContext, 'dialect'>,
  workflow: Workflow,
  { submission: { promptId, nodeErrors }, claim, clientId }: Accepted,
): Tracked => ({
  initial: initialJobState({ promptId, workflow, nodeErrors }),
  sighted: true,
  claim,
  submittedOn: clientId,
  boundTo: dialect === 'local' ? clientId : undefined,
});

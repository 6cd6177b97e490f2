import type { Accepted } from './accept.js';
import * as E from '../../core/protocol/either.js';
import { initialJobState } from '../../core/state/initial-job-state.js';
import { type Job, jobHandle } from './job-handle.js';
import type { JobContext } from './job-context.js';
import type { Rest } from '../../core/http/rest.js';
import { foreignSocket, type Tracked } from './tracked.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** Makes the handle of an accepted job, which is followed from now on until its end or the client's, subscribers or not. */
export const startJob = (context: JobContext, workflow: Workflow, accepted: Accepted): Job =>
  jobHandle(context, acceptedJob(context, workflow, accepted), context.work.begin());

/** What to follow of a job that was just accepted. */
export const acceptedJob = (
  { dialect }: Pick<JobContext, 'dialect'>,
  workflow: Workflow,
  { submission: { promptId, nodeErrors }, claim, clientId, mark, problems, warning }: Accepted,
): Tracked => ({
  initial: {
    ...initialJobState({ promptId, workflow, nodeErrors, problems }),
    ...(warning !== undefined && { warnings: [warning] }),
  },
  wasSeen: true,
  claim,
  submittedOn: clientId,
  mark,
  boundTo: dialect.jobs.polledThroughout
    ? foreignSocket
    : dialect.jobs.eventsFollowClientId
      ? clientId
      : undefined,
});

/** `rest.submit` as the user has it: refused by a client that is being drained, and settled by its answer. */
export const submitRaw =
  ({ rest, work, accepted }: Pick<JobContext, 'rest' | 'work' | 'accepted'>): Rest['submit'] =>
  (workflow, options) =>
  () => {
    const refusal = work.refusal();
    return refusal === undefined
      ? rest
          .submit(workflow, options)()
          .then((answer) => {
            if (E.isRight(answer)) accepted.add(answer.right.promptId);
            return answer;
          })
          .finally(work.begin())
      : Promise.resolve(E.left(refusal));
  };

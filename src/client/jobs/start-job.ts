import type { Accepted } from './accept.js';
import { deletingRecord } from './ephemeral.js';
import * as E from '../../core/protocol/either.js';
import { nodesToRun, stateOfNodes } from '../../core/state/initial-job-state.js';
import { type Job, jobHandle } from './job-handle.js';
import type { JobContext } from './job-context.js';
import type { Rest } from '../../core/http/rest.js';
import { refusedRequest } from '../../core/http/refused-request.js';
import { foreignSocket, type Tracked } from './tracked.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** Makes the handle of an accepted job, which is followed from now on until its end or the client's, subscribers or not. */
export const startJob = (context: JobContext, workflow: Workflow, accepted: Accepted): Job =>
  jobHandle(context, acceptedJob(context, workflow, accepted), context.work.begin());

/**
 * What to follow of a job that was just accepted.
 *
 * @param toRun - The nodes that will run if the service dropped none, where they are known.
 */
export const acceptedJob = (
  { dialect, durations, deleting }: Pick<JobContext, 'dialect' | 'durations' | 'deleting'>,
  given: Workflow,
  { submission: { promptId, nodeErrors }, claim, clientId, mark, problems, targets, sent, warning }: Accepted,
  toRun?: readonly string[],
): Tracked => {
  const workflow = sent ?? given;
  const isAsGiven = sent === undefined && Object.keys(nodeErrors).length === 0;
  const nodeIds = (isAsGiven ? toRun : undefined) ?? nodesToRun(workflow, nodeErrors, targets);
  const planned = durations?.plan(workflow, nodeIds);
  const warnings = warning === undefined ? [] : [warning];
  const plan = planned?.plan;
  return {
    initial: stateOfNodes({ promptId, workflow, nodeErrors, problems, warnings, plan }, nodeIds),
    wasSeen: true,
    claim,
    onState: planned?.onState,
    beforeState: sent && deletingRecord({ deleting }),
    submittedOn: clientId,
    mark,
    boundTo: dialect.jobs.polledThroughout
      ? foreignSocket
      : dialect.jobs.eventsFollowClientId
        ? clientId
        : undefined,
  };
};

/** `rest.submit` as the user has it: its targets are checked, a client that is being drained refuses, and the answer settles it. */
export const submitRaw =
  ({
    rest,
    work,
    accepted,
    dialect,
    validate,
  }: Pick<JobContext, 'rest' | 'work' | 'accepted' | 'dialect' | 'validate'>): Rest['submit'] =>
  (workflow, options) =>
  () => {
    const refusal = work.refusal();
    if (refusal !== undefined) return Promise.resolve(E.left(refusal));
    const submit = async (): ReturnType<ReturnType<Rest['submit']>> => {
      const refused =
        options?.targets === undefined ? undefined : refusedRequest(dialect.http, workflow, options);
      if (refused !== undefined) return E.left(refused);
      const checked =
        options?.targets === undefined ? undefined : await validate(workflow, 'off', options.targets);
      if (checked?._tag === 'Left') return checked;
      const answer = await rest.submit(workflow, options)();
      if (E.isRight(answer)) accepted.add(answer.right.promptId);
      return answer;
    };
    return submit().finally(work.begin());
  };

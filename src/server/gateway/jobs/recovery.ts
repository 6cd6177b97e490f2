import { endedAs } from '../../../core/state/ended-as.js';
import { followLost } from '../lost/follow-lost.js';
import { isTerminal } from '../../../core/state/job-state.js';
import type { JobRecord } from '../../joblog/job-index.js';
import type { JobState } from '../../../core/state/job-state.js';
import type { SubmissionContext } from './submission-context.js';
import type { Upstream } from '../upstream/upstream.js';
import { unknownFailure } from '../../../core/state/failure.js';

/**
 * Takes up every job that the index knows, after a start: those that have not ended are followed again, and none is submitted again.
 *
 * A job whose answer never came is looked for by the id of its submission where the service makes that the job's id, and among the
 * service's jobs elsewhere.
 */
export const recoverJobs = async (context: SubmissionContext): Promise<void> => {
  const { index, registry, held } = context;
  const records = await index.list(undefined, { limit: Number.MAX_SAFE_INTEGER });
  if (index.leases !== undefined) {
    for (const owner of new Set(records.map((record) => record.owner))) await registry.ready(owner);
    await recover(context, await held.acquire());
    return;
  }
  // The list begins with the newest.
  await recover(context, records.toReversed());
};

/** Takes up jobs that this process follows from now on. */
export const recover = async (context: SubmissionContext, records: readonly JobRecord[]): Promise<void> => {
  for (const indexed of records) {
    // The log may tell more of the job than the index.
    const { record, state } = await context.registry.load(indexed);
    const upstream = context.upstreams[record.client];
    if (isTerminal(state.phase)) {
      if (indexed.ended === undefined) await noteEnd(context, record, state);
    } else if (record.unreadable === true) endUnreadable(context, record, state);
    else if (upstream !== undefined) {
      if (isLost(record, upstream)) followLost(context, record, upstream, lostAnswer);
      else await takeUp(context, indexed, record, upstream);
      if (record.cancelRequestedAt !== undefined) void context.cancellations.ask(record.id);
    } else endWithoutClient(context, record, state);
  }
};

/** Whether no id leads to the job. */
const isLost = ({ promptId }: JobRecord, { submissionIds }: Upstream): boolean =>
  promptId === undefined && submissionIds !== 'jobs';

/** The log had the end, and the index did not hear of it. */
const noteEnd = async (
  { index, registry, clock, retentionMs }: SubmissionContext,
  record: JobRecord,
  { phase }: JobState,
): Promise<void> => {
  if (!isTerminal(phase)) return;
  const at = registry.get(record.id)?.endedAt ?? clock.wall();
  const change = { ended: { phase, at }, expiresAt: at + retentionMs };
  await index.update(record.id, change);
  registry.setRecord({ ...record, ...change });
};

/** What was kept of the job is damaged: nothing that leads to it at the service can be trusted. */
const endUnreadable = (
  { registry }: Pick<SubmissionContext, 'registry'>,
  { id, promptId }: JobRecord,
  state: JobState,
): void => {
  const atService =
    promptId === undefined ? 'The service may have it.' : `The service has it as ${promptId}.`;
  const reason = `What the gateway kept of this job can't be read any more, so it can't follow the job. ${atService}`;
  registry.applyState(id, endedAs(state, 'failed', unknownFailure(reason)));
};

/** The job of a client that was renamed or taken away: no client can follow it. */
const endWithoutClient = (
  { registry }: Pick<SubmissionContext, 'registry'>,
  { id, client }: JobRecord,
  state: JobState,
): void => {
  const reason = `The gateway has no client ${client} any more, so it can't follow the job.`;
  registry.applyState(id, endedAs(state, 'untraceable', unknownFailure(reason)));
};

const takeUp = async (
  { index, following }: SubmissionContext,
  indexed: JobRecord,
  record: JobRecord,
  upstream: Upstream,
): Promise<void> => {
  const { id, submissionId } = record;
  if (indexed.promptId === undefined && record.promptId !== undefined) {
    await index.update(id, { promptId: record.promptId });
  }
  const promptId = record.promptId ?? submissionId;
  // The id of a submission is no sign that it has left: only the service's word is.
  const wasSubmitted = record.promptId !== undefined;
  following.follow(
    id,
    upstream.job(promptId, record.workflow),
    () => upstream.job(promptId, record.workflow),
    (state) =>
      wasSubmitted ? endedAs(state, 'untraceable') : endedAs(state, 'failed', unknownFailure(neverArrived)),
  );
};

const lostAnswer = {
  message: 'The gateway stopped before the answer to the submission came, so the service may have the job.',
};

const neverArrived =
  'The gateway stopped before the answer to the submission came, and the service knows no such job.';

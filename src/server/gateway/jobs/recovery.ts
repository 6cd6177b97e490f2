import { endedAs } from '../../../core/state/ended-as.js';
import { followLost } from '../lost/follow-lost.js';
import { isTerminal } from '../../../core/state/job-state.js';
import type { JobRecord } from '../../joblog/job-index.js';
import type { JobState } from '../../../core/state/job-state.js';
import { type KeptJob, logOf, type Upstream } from '../upstream/upstream.js';
import { noteEnd } from './note-end.js';
import type { SubmissionContext } from './submission-context.js';
import type { SuppliedJobs } from './supplied-jobs.js';
import { noteOf } from './place-notes.js';
import { unknownFailure } from '../../../core/state/failure.js';

/**
 * Takes up every job that the index knows, after a start: those that have not ended are followed again, and none is submitted again.
 *
 * A job whose answer never came is looked for by the id of its submission where the service makes that the job's id, and among the
 * service's jobs elsewhere.
 */
export const recoverJobs = async (context: SubmissionContext, supplied: Recovered): Promise<void> => {
  const { index, registry, held } = context;
  const records = await index.list(undefined, { limit: Number.MAX_SAFE_INTEGER });
  if (index.leases !== undefined) {
    for (const owner of new Set(records.map((record) => record.owner))) await registry.ready(owner);
    await recover(context, supplied, await held.acquire());
    return;
  }
  // The list begins with the newest.
  await recover(context, supplied, records.toReversed());
};

/** What becomes of jobs whose events a queue supplies. */
type Recovered = Pick<SuppliedJobs, 'watch' | 'check'>;

/** Takes up jobs that this process follows from now on. */
export const recover = async (
  context: SubmissionContext,
  supplied: Recovered,
  records: readonly JobRecord[],
): Promise<void> => {
  for (const given of records) {
    const indexed = await restored(context, given);
    if (logOf(indexed, context.upstreams[indexed.client]) !== undefined) {
      await takeUpSupplied(context, supplied, indexed);
      continue;
    }
    // The log may tell more of the job than the index.
    const job = await context.registry.load(indexed);
    const { record, state } = job;
    const upstream = context.upstreams[record.client];
    if (isTerminal(state.phase)) {
      if (indexed.ended === undefined) await noteEnd(context, job, state.phase);
    } else if (record.unreadable === true) endUnreadable(context, record, state);
    else if (upstream !== undefined) {
      if (isLost(record, upstream)) followLost(context, record, upstream, lostAnswer);
      else await takeUp(context, indexed, record, upstream);
      if (record.cancelRequestedAt !== undefined) void context.cancellations.ask(record.id);
    } else endWithoutClient(context, record, state);
  }
};

/** The id of an unreadable record can still be read, and a queue that supplies events knows the job by it. */
const restored = async (
  { upstreams }: Pick<SubmissionContext, 'upstreams'>,
  record: JobRecord,
): Promise<JobRecord> => {
  const [client, upstream] = Object.entries(upstreams)[0] ?? [];
  if (record.unreadable !== true || client === undefined || upstream?.log === undefined) return record;
  const { id, owner } = record;
  const { gap } = await upstream.log.read({ owner, jobId: id }, undefined, 1);
  return gap ? record : { ...record, client, submissionId: id };
};

/** The queue runs the job, whatever becomes of this process: it is read, and where the queue does not have it, it ends. */
const takeUpSupplied = async (
  { cancellations, registry }: SubmissionContext,
  { watch, check }: Recovered,
  record: JobRecord,
): Promise<void> => {
  const { state } = await watch(record);
  if (record.unreadable === true) registry.setRecord(record);
  await check(record.id);
  if (!isTerminal(state.phase) && record.cancelRequestedAt !== undefined) void cancellations.ask(record.id);
};

/** Whether no id leads to the job. */
const isLost = ({ promptId }: JobRecord, { submissionIds }: Upstream): boolean =>
  promptId === undefined && submissionIds !== 'jobs';

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
  context: SubmissionContext,
  indexed: JobRecord,
  record: JobRecord,
  upstream: Upstream,
): Promise<void> => {
  const { id, submissionId } = record;
  const { index, following } = context;
  const kept: KeptJob = { record, placed: noteOf(context, id) };
  if (indexed.promptId === undefined && record.promptId !== undefined) {
    await index.update(id, { promptId: record.promptId });
  }
  const promptId = record.promptId ?? submissionId;
  // A submission's id does not prove that it was sent: only the service's own id of the job does.
  const wasSubmitted = record.promptId !== undefined;
  following.follow(
    id,
    upstream.job(promptId, record.workflow, kept),
    () => upstream.job(promptId, record.workflow, kept),
    (state) =>
      wasSubmitted ? endedAs(state, 'untraceable') : endedAs(state, 'failed', unknownFailure(neverArrived)),
  );
};

const lostAnswer = {
  message: 'The gateway stopped before the answer to the submission came, so the service may have the job.',
};

const neverArrived =
  'The gateway stopped before the answer to the submission came, and the service knows no such job.';

import { defer, lastValueFrom, retry, takeUntil } from 'rxjs';
import * as E from '../../../core/protocol/either.js';
import { endedAs } from '../../../core/state/ended-as.js';
import { followLost } from '../lost/follow-lost.js';
import type { GatewayJob, GatewaySubmission, SubmitResult } from '../model/gateway-jobs.js';
import { initialJobState } from '../../../core/state/initial-job-state.js';
import type { JobRecord } from '../../joblog/job-index.js';
import { fromAbortSignal } from '../../../core/interop/from-abort-signal.js';
import { newEntry } from '../registry/job-entry.js';
import type { ServiceError } from '../../../core/errors/errors.js';
import { serviceError } from '../../../core/errors/service-error.js';
import type { SubmissionContext } from './submission-context.js';
import { turnForLarge } from '../../joblog/turn-for-large.js';
import { timerOn } from '../../../core/platform/timer.js';
import { unknownFailure } from '../../../core/state/failure.js';
import { noteOf, placesOf } from './place-notes.js';
import { logOf, type Upstream, type UpstreamJob } from '../upstream/upstream.js';
import { within } from './within.js';
import type { SuppliedJobs } from './supplied-jobs.js';

/** Why a job failed whose submission got no answer. */
const neverArrived = 'The answer to the submission was lost, and the service knows no such job.';

/** Makes what posts a recorded submission to its service, once, and follows the job that it becomes. */
export const postSubmission = (
  context: SubmissionContext,
  supplied: Pick<SuppliedJobs, 'watch' | 'check'>,
): ((record: JobRecord, submission: GatewaySubmission) => Promise<SubmitResult>) => {
  const { clock, index, registry, following, held, shared, upstreams } = context;

  /** The job as another process found it: this one stood still for so long that it lost the lease. */
  const takenElsewhere = async ({ id, owner }: JobRecord): Promise<GatewayJob | undefined> => {
    if (await held.isHeld(id).catch(() => true)) return undefined;
    await shared.sync(owner);
    return registry.get(id);
  };

  /**
   * Registers a job, and gives it after a second at the latest: a log that takes no writes must not keep the service's answer from its
   * caller.
   */
  const open = async (record: JobRecord, promptId?: string): Promise<GatewayJob> => {
    const known = promptId === undefined ? record : { ...record, promptId };
    const state = initialJobState(known);
    return within(clock, registry.open(known, state), newEntry(known, state));
  };
  /** The service has this job. It runs whether that can be kept or not; a local server's is found by the id of the submission. */
  const note = ({ id }: JobRecord, promptId: string): Promise<void> =>
    within(
      clock,
      index.update(id, { promptId }).catch(() => undefined),
      undefined,
    );

  /** Registers a job whose events a queue supplies; the queue has it, or may have it. */
  const watch = async (record: JobRecord, isThere: boolean): Promise<GatewayJob> => {
    const known = isThere ? { ...record, promptId: record.id } : record;
    const state = initialJobState({ workflow: record.workflow });
    const watched = supplied.watch(known).catch(() => undefined);
    const [job] = await Promise.all([
      within(clock, watched, undefined),
      isThere ? note(record, record.id) : undefined,
    ]);
    if (!isThere) void supplied.check(record.id);
    return job ?? newEntry(known, state);
  };

  /** Registers the job that the service has made, and follows it. */
  const take = async (
    record: JobRecord,
    upstreamJob: UpstreamJob,
    upstream: Upstream,
  ): Promise<GatewayJob> => {
    const { promptId } = upstreamJob;
    const elsewhere = await takenElsewhere(record);
    if (elsewhere !== undefined) {
      await note(record, promptId);
      return elsewhere;
    }
    const [job] = await Promise.all([open(record, promptId), note(record, promptId)]);
    following.follow(
      record.id,
      upstreamJob,
      () => upstream.job(promptId, record.workflow, { record, placed: noteOf(context, record.id) }),
      (state) => endedAs(state, 'untraceable'),
    );
    return job;
  };

  /** Follows the job that has the submission's id, if the service has made one. */
  const seekById = async (record: JobRecord, upstream: Upstream): Promise<GatewayJob> => {
    const { id, submissionId } = record;
    const job = await open(record);
    const again = (): UpstreamJob => upstream.job(submissionId, record.workflow);
    following.follow(id, again(), again, (state) => endedAs(state, 'failed', unknownFailure(neverArrived)));
    return job;
  };

  /** Registers a job that the service may have, and looks for it there. */
  const seek = async (record: JobRecord, upstream: Upstream, error: ServiceError): Promise<GatewayJob> => {
    const job = await open(record);
    followLost(context, record, upstream, error);
    return job;
  };

  return async (record: JobRecord, submission: GatewaySubmission): Promise<SubmitResult> => {
    const upstream = upstreams[record.client];
    if (upstream === undefined) {
      await takeBack(context, record);
      return { _tag: 'refused', error: noClient(record.client) };
    }
    const { workflow, resolved = workflow, extraData, partnerKey, files } = submission;
    const { owner, submissionId } = record;
    // The record has been written in this turn; the submission is in another one.
    await turnForLarge(clock, resolved);
    const { placed, record: placedRecord } = placesOf(context, record);
    let submit: ReturnType<Upstream['submit']>;
    try {
      const more = upstream.keepsJobs === true ? { files, placed } : {};
      submit = upstream.submit(resolved, { extraData, partnerKey, submissionId, owner, ...more });
    } catch (error) {
      // Nothing was sent.
      await takeBack(context, record);
      throw error;
    }
    // Its body is made; it is sent in a further turn.
    await turnForLarge(clock, resolved);
    const answer = await submit().catch(unexpected(record));
    const isSupplied = logOf(record, upstream) !== undefined;
    if (E.isLeft(answer)) {
      const error = answer.left;
      if (error._tag !== 'OutcomeUnknown') {
        await takeBack(context, record);
        return { _tag: 'refused', error };
      }
      if (isSupplied) return { _tag: 'accepted', job: await watch(record, false), replayed: false, error };
      const find = upstream.submissionIds === 'jobs' ? seekById : seek;
      const job = (await takenElsewhere(record)) ?? (await find(record, upstream, error));
      return { _tag: 'accepted', job, replayed: false, error };
    }
    const job = await (isSupplied ? watch(record, true) : take(placedRecord(), answer.right, upstream));
    return { _tag: 'accepted', job, replayed: false };
  };
};

/** The error of a submission whose files are with a client that the gateway no longer has. */
const noClient = (name: string): ServiceError =>
  serviceError('NotSupported', {
    message: `This gateway has no client ${name} any more, which has files of the workflow.`,
    hint: 'Upload the files again, and submit with those.',
  });

/** Something threw while the submission was under way, so that the service may have the job. */
const unexpected =
  ({ createdAt }: JobRecord) =>
  (cause: unknown): E.Either<ServiceError, never> =>
    E.left(serviceError('OutcomeUnknown', { candidates: [], startedAt: createdAt, cause }));

/** How long to wait before a record is taken back again that the index could not remove. */
const removeAgainMs = 1_000;

/** Forgets a record whose submission was refused, so that its key is free; where the index takes nothing, it goes on until it does. */
export const takeBack = async (
  { clock, index, held, stopped }: SubmissionContext,
  { id }: JobRecord,
): Promise<void> => {
  held.delete(id);
  const removed = defer(() => index.remove(id)).pipe(
    retry({ delay: () => timerOn(clock, removeAgainMs, { background: true }) }),
    takeUntil(fromAbortSignal(stopped)),
  );
  await within(clock, lastValueFrom(removed, { defaultValue: undefined }), undefined);
};

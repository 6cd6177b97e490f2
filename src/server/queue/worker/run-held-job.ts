import { clientService } from './client-service.js';
import { deleteRecord, ephemeralRefusal } from './ephemeral.js';
import { endJob, giveBack, leaveEnded, leaveUnknown } from './end-job.js';
import { failureOfError } from '../../../core/errors/failure-of-error.js';
import * as E from '../../../core/protocol/either.js';
import type { HeldJob } from '../policy/submission-ports.js';
import { isTerminal } from '../../../core/state/job-state.js';
import { judgeRefusal } from '../policy/judge-refusal.js';
import { openJobLog } from './job-log.js';
import type { QueueRecord } from '../store/job-store.js';
import { report, type RunContext, type RunningJob, type ServedJob, shortestWaitMs } from './run-context.js';
import { runAtService } from './run-at-service.js';
import type { ServiceError } from '../../../core/errors/errors.js';
import { settle, type Settled } from './settle.js';
import { slowed } from '../../../core/lost/decide-match.js';
import type { TokenEnd } from '../engine/run-tokens.js';
import { unknownFailure } from '../../../core/state/failure.js';
import { textOf, writeOnce } from '../../../core/protocol/json/write-once.js';

/** The usual and the longest wait after a refusal for the moment, in milliseconds. */
const [usualWaitMs, longestWaitMs] = [5_000, 60_000];

/** Leads a job that this worker holds to its end: one that begins, and one whose worker has died. */
export const runHeldJob = async (
  held: HeldJob & { readonly job: QueueRecord },
  context: RunContext,
): Promise<TokenEnd> => {
  const { log, queueStore: store, clock, atServer } = context;
  if (held.job.later === true) return leaveToLater(held, context);
  const own = await openJobLog({
    job: held,
    tenant: held.job.tenant,
    log,
    store,
    clock,
    place: atServer?.place,
  });
  try {
    return await leadToEnd({ held, context, own });
  } finally {
    own.close();
  }
};

/** How long a worker leaves a slot token alone whose job is in a format that only a later version knows, in milliseconds. */
const laterWaitMs = 5_000;

/** As in a restart of one worker after the other: the workers of the later version take the job. */
const leaveToLater = async (held: HeldJob, { store, pause }: RunContext): Promise<TokenEnd> => {
  await store.leave(held, 'waiting');
  await pause(laterWaitMs);
  return 'requeue';
};

const leadToEnd = async (job: RunningJob): Promise<TokenEnd> => {
  const { held, context, own } = job;
  // A worker before this one may have written the end.
  const { phase } = own.state();
  if (isTerminal(phase)) {
    await forgetAtService(job);
    if (phase === 'completed') await context.deliver?.(held.id);
    return leaveEnded(job, phase);
  }
  return held.job.unreadable === true ? endUnreadable(job, 'intent') : submitAndGoOn(job, false);
};

/** @param isAgain - Whether its server refused it for want of its files, which it gets once more. */
const submitAndGoOn = async (job: RunningJob, isAgain: boolean): Promise<TokenEnd> => {
  const { held, context } = job;
  const served = await serve(job);
  if (served === 'unreadable') return endUnreadable(job, 'workflow');
  if (served === undefined) return endJob(job, 'failed', unknownFailure('The workflow is gone.'));
  if (served._tag === 'unfit') return endJob(job, 'failed', failureOfError(served.error));
  if (E.isLeft(served)) return withoutFiles(job, served.left);
  if (held.record.intent === undefined && !isAgain) report(job, 'wait', held.job.createdAt);
  for (;;) {
    const submittedAt = context.clock.wall();
    const settled = await settleJob(served.right);
    if (settled._tag !== 'refused' || settled.by !== 'later') {
      served.right.forgetText();
      if (!isAgain && (await lacksFiles(job, settled))) return submitAndGoOn(job, true);
      return goOn(served.right, settled, submittedAt);
    }
    const { error } = settled;
    report(job, 'submit', submittedAt, { error: error._tag });
    if (context.atServer !== undefined) return goElsewhere(job, 'later', error);
    // The slot is of no use to another job meanwhile: the service refuses the account.
    const waitMs = error.retryAfterMs ?? usualWaitMs;
    await context.pause(Math.min(longestWaitMs, Math.max(shortestWaitMs, waitMs)));
  }
};

/** Whether the server refused the job for want of files that it was known to have; it is not any more then. */
const lacksFiles = async (
  { held, context: { store, atServer } }: RunningJob,
  settled: SettledJob,
): Promise<boolean> => {
  if (atServer === undefined || settled._tag !== 'refused' || settled.by !== 'job') return false;
  const kept = await store.workflow(held.id);
  return typeof kept === 'object' && atServer.forgetRefused(settled.error, kept.workflow);
};

/** Ends a job whose files the queue has not got; one whose server does not take them goes to another one. */
const withoutFiles = (job: RunningJob, error: ServiceError): Promise<TokenEnd> =>
  error._tag === 'DownloadFailed'
    ? endJob(job, 'failed', failureOfError(error))
    : goElsewhere(job, judgeRefusal(error) === 'job' ? 'job' : 'later', error);

/** Leaves a job that only its server refused to other servers. */
const goElsewhere = async (
  { held, context: { atServer, store } }: RunningJob,
  why: 'job' | 'later',
  error: ServiceError,
): Promise<TokenEnd> => {
  await atServer?.refused(why, error);
  await store.leave(held, 'waiting');
  return 'requeue';
};

/** Ends a job of which something can't be read: it is kept aside, and said once. */
const endUnreadable = async (job: RunningJob, part: 'intent' | 'workflow'): Promise<TokenEnd> => {
  const { id, record } = job.held;
  const { store, queue, warn } = job.context;
  const what =
    part === 'intent' ? 'What the queue kept of the submission' : 'The workflow that the queue kept';
  if (await store.setAside(id, part))
    warn(`${what} of the job ${id} can't be read: it is kept in {promptwire:${queue}}:damaged.`);
  const { promptId } = record;
  const atService =
    promptId !== undefined
      ? ` The service has the job as ${promptId}.`
      : part === 'intent'
        ? ' The service may have the job.'
        : '';
  return endJob(job, 'failed', unknownFailure(`${what} can't be read.${atService}`));
};

/** Deletes the record of an ephemeral job whose worker may have died before it did. */
const forgetAtService = async (job: RunningJob): Promise<void> => {
  const { promptId } = job.held.record;
  if (promptId === undefined) return;
  const kept = await job.context.store.workflow(job.held.id);
  if (typeof kept === 'object' && kept.ephemeral === true) await deleteRecord(job, promptId);
};

interface Unfit {
  readonly _tag: 'unfit';
  readonly error: ServiceError;
}

/**
 * The job with its workflow at the service; undefined if the queue lacks its workflow, Left if the service can't get its files, `unfit` if the
 * job can't be ephemeral here.
 */
const serve = async (
  job: RunningJob,
): Promise<E.Either<ServiceError, ServedJob> | Unfit | 'unreadable' | undefined> => {
  const { store, client, partnerKey, rules, atServer, clock } = job.context;
  const { id } = job.held;
  const kept = await store.workflow(id);
  if (kept === undefined || kept === 'unreadable') return kept;
  const { intent, promptId } = job.held.record;
  const isNew = intent === undefined && promptId === undefined;
  const refusal = kept.ephemeral === true && isNew ? ephemeralRefusal(job.context) : undefined;
  if (refusal !== undefined) return { _tag: 'unfit', error: refusal };
  const brought = (await atServer?.bring(kept.workflow)) ?? E.right(kept.workflow);
  // A job that may run there has its files already.
  if (E.isLeft(brought) && isNew) return brought;
  const stored = E.isLeft(brought) ? kept : { ...kept, workflow: brought.right };
  const unclaimed = (promptIds: readonly string[]) => store.unclaimed(id, promptIds);
  const service = clientService({ client, stored, partnerKey, unclaimed, clock });
  // The requests take the text that has been measured.
  const forgetText = writeOnce(stored.workflow);
  const isEphemeral = kept.ephemeral === true;
  const slow = slowed(rules, textOf(stored.workflow).length);
  return E.right({ ...job, service, forgetText, isEphemeral, rules: slow });
};

type SettledJob = Settled | { readonly _tag: 'cancelled' };

/** Settles the submission by the record as it is now; a job whose end is asked for is not submitted. */
const settleJob = async (job: ServedJob): Promise<SettledJob> => {
  const { held, context, service, rules } = job;
  const { worker, store, uuid, clock, pause } = context;
  const now = await store.get(held.id);
  if (now === undefined) return { _tag: 'lost' };
  const { intent, promptId, cancelRequestedAt } = now;
  const isOpen = intent !== undefined || promptId !== undefined;
  if (cancelRequestedAt !== undefined && !isOpen) return { _tag: 'cancelled' };
  const elapsed = (): number => clock.now();
  return settle(
    { ...held, record: { intent, promptId } },
    { worker, store, service, rules, uuid, elapsed, pause },
  );
};

/** What a worker does with a job once its submission is settled. */
const goOn = async (job: ServedJob, settled: SettledJob, submittedAt: number): Promise<TokenEnd> => {
  const { held, context } = job;
  switch (settled._tag) {
    case 'finished':
    case 'lost':
      return 'requeue';
    case 'cancelled':
      return endJob(job, 'cancelled');
    case 'unknown':
      report(job, 'submit', submittedAt, { error: 'OutcomeUnknown' });
      return leaveUnknown(job, settled.reason, settled.candidates);
    case 'attached':
      report(job, 'submit', submittedAt, { promptId: settled.promptId });
      return runAtService(job, settled.promptId);
    case 'refused': {
      const { by, error } = settled;
      report(job, 'submit', submittedAt, { error: error._tag });
      if (by === 'job' && context.atServer !== undefined) return goElsewhere(job, by, error);
      if (by === 'job') return endJob(job, 'failed', failureOfError(error));
      await context.store.leave(held, 'waiting');
      if (by === 'account') await context.pauseQueue(error);
      return giveBack(job);
    }
  }
};

import { endedAs } from '../../../core/state/ended-as.js';
import type { Client } from '../../../client/client-types.js';
import type { JobFailure } from '../../../core/state/failure.js';
import type { ServiceError } from '../../../core/errors/errors.js';
import type { TerminalPhase } from '../../../core/state/job-state.js';
import { writeExactJson } from '../../../core/protocol/json/exact-json.js';
import { clientService, type JobService } from './client-service.js';
import { catchError, EMPTY, exhaustMap, from, throttleTime } from 'rxjs';
import type { Clock } from '../../../core/platform/platform.js';
import type { EventLog } from '../../gateway/ports/event-log.js';
import { followJob } from './follow-job.js';
import { isServiceError } from '../../../core/errors/service-error.js';
import { isTerminal } from '../../../core/state/job-state.js';
import type { JobStore, QueueRecord } from '../store/job-store.js';
import { type JobLog, openJobLog } from './job-log.js';
import { publish, type QueueStepMessage } from '../telemetry/channels.js';
import type { QueuePreviews } from '../jobs/previews.js';
import type { QueueStore } from '../store/redis-queue-store.js';
import { type SubmissionRules } from '../policy/rules.js';
import { slowed } from '../../gateway/lost/by-sight.js';
import type { HeldJob } from './submission-ports.js';
import { settle, type Settled } from './settle.js';
import type { TurnEnd } from '../engine/turns.js';
import { unknownFailure } from '../../../core/state/failure.js';

/** What running a job needs. */
export interface RunContext {
  readonly queue: string;
  readonly worker: string;
  readonly client: Client;
  readonly partnerKey?: true | string | undefined;
  readonly store: JobStore;
  readonly whole: QueueStore;
  readonly log: EventLog;
  readonly previews: Pick<QueuePreviews, 'publish'>;
  readonly rules: SubmissionRules;
  readonly clock: Clock;
  readonly uuid: () => string;
  /** Resolves that many milliseconds later; rejects when the worker stops or has lost the turn. */
  readonly pause: (ms: number) => Promise<void>;
  /** Fires when the worker stops, or when its lock on the turn is lost, so that another worker may have the job. */
  readonly signal: AbortSignal;
  /** Pauses the queue, since the service takes no job of this account. */
  readonly pauseQueue: (error: ServiceError) => Promise<void>;
  /** Calls a listener when the cancellation of this job is asked for; the returned function ends that. */
  readonly onCancel: (id: string, listener: () => void) => () => void;
  /** Hands the files of a job that completed on. */
  readonly deliver: ((id: string) => Promise<void>) | undefined;
}

/** The shortest and longest wait after a refusal for the moment, in milliseconds. */
const [shortestWaitMs, usualWaitMs, longestWaitMs] = [1_000, 5_000, 60_000];

/** The newest preview of a job is published at most this often, in milliseconds. */
const previewEveryMs = 250;

/** Leads a job that this worker holds to its end. */
export const runHeldJob = async (
  held: HeldJob & { readonly job: QueueRecord },
  context: RunContext,
): Promise<TurnEnd> => {
  const { store, whole, log, clock, client, worker, queue, partnerKey } = context;
  const { id, job } = held;
  const { tenant } = job;
  const own = await openJobLog({ job: held, tenant, log, store: whole, clock });
  const report: Report = (step, startedAt, more) =>
    publish(`promptwire:queue:${step}`, () => ({
      ...{ queue, jobId: id, tenant, worker },
      ...{ startedAt, endedAt: clock.wall(), ...more },
    }));

  // A worker before this one may have written the end.
  const { phase } = own.state();
  if (isTerminal(phase)) {
    if (phase === 'completed') await context.deliver?.(id);
    return over(held, context, phase, phase);
  }
  const stored = await store.workflow(id);
  if (stored === undefined) return end(held, context, own, 'failed', unknownFailure('The workflow is gone.'));
  if (held.record.intent === undefined) report('wait', job.createdAt);
  const service = clientService({
    client,
    stored,
    partnerKey,
    unclaimed: (promptIds) => store.unclaimed(id, promptIds),
  });
  const rules = slowed(context.rules, writeExactJson(stored).length);
  const running: RunningJob = { held, context, own, service, rules, report };
  for (;;) {
    const submittedAt = clock.wall();
    const settled = await settleJob(running);
    switch (settled._tag) {
      case 'finished':
      case 'lost':
        return 'back';
      case 'cancelled':
        return end(held, context, own, 'cancelled');
      case 'unknown':
        report('submit', submittedAt, { error: 'OutcomeUnknown' });
        return unknown(running, settled.reason, settled.candidates);
      case 'attached':
        report('submit', submittedAt, { promptId: settled.promptId });
        return follow(running, settled.promptId);
      case 'refused': {
        const { by, error } = settled;
        report('submit', submittedAt, { error: error._tag });
        const failure = { ...unknownFailure(error.message), exceptionType: error._tag };
        if (by === 'job') return end(held, context, own, 'failed', failure);
        if (by !== 'later') {
          await store.leave(held, 'waiting');
          if (by === 'account') await context.pauseQueue(error);
          return back(context);
        }
        // The slot is of no use to another job meanwhile: the service refuses the account.
        const waitMs = error.retryAfterMs ?? usualWaitMs;
        await context.pause(Math.min(longestWaitMs, Math.max(shortestWaitMs, waitMs)));
      }
    }
  }
};

type Report = (
  step: 'wait' | 'submit' | 'run',
  startedAt: number,
  more?: Partial<Pick<QueueStepMessage, 'promptId' | 'error'>>,
) => void;

interface RunningJob {
  readonly held: HeldJob & { readonly job: QueueRecord };
  readonly context: RunContext;
  readonly own: JobLog;
  readonly service: JobService;
  readonly rules: SubmissionRules;
  readonly report: Report;
}

/** Settles the submission by the record as it is now; a job whose end is asked for is not submitted. */
const settleJob = async ({
  held,
  context: { worker, store, uuid, clock, pause },
  service,
  rules,
}: RunningJob): Promise<Settled | { readonly _tag: 'cancelled' }> => {
  const now = await store.get(held.id);
  if (now === undefined) return { _tag: 'lost' };
  const { intent, promptId, cancelRequestedAt } = now;
  const isOpen = intent !== undefined || promptId !== undefined;
  if (cancelRequestedAt !== undefined && !isOpen) return { _tag: 'cancelled' };
  const job = { ...held, record: { intent, promptId } };
  const elapsed = (): number => clock.now();
  return settle(job, { worker, store, service, rules, uuid, elapsed, pause });
};

/** A turn is over once its job has left it: one whose job another worker holds goes back, since that one may have no turn. */
const over = async (
  held: HeldJob,
  { store }: RunContext,
  outcome: TerminalPhase,
  reason: string,
): Promise<TurnEnd> => ((await store.leave(held, 'ended', reason, outcome)) ? 'done' : 'back');

/** Writes the end of a job that the service does not have. */
const end = async (
  held: HeldJob,
  context: RunContext,
  own: JobLog,
  phase: TerminalPhase,
  failure?: JobFailure,
): Promise<TurnEnd> => {
  const last = endedAs(own.state(), phase, failure);
  return (await own.move(last)) ? over(held, context, phase, failure?.exceptionMessage ?? phase) : 'back';
};

const unknown = async (
  { held, context: { queue, worker, store }, own }: RunningJob,
  reason: string,
  candidates: readonly string[],
): Promise<TurnEnd> => {
  const about = { queue, jobId: held.id, tenant: held.job.tenant, worker, reason, candidates };
  publish('promptwire:queue:unknown', () => about);
  const failure: JobFailure = { ...unknownFailure(reason), candidates };
  const isKept = await own.move(endedAs(own.state(), 'unknown', failure));
  return isKept && (await store.leave(held, 'unknown', reason, 'unknown')) ? 'done' : 'back';
};

/** Gives the turn back, and not at once to this worker again. */
const back = async ({ pause }: RunContext): Promise<TurnEnd> => {
  await pause(shortestWaitMs);
  return 'back';
};

const follow = async (
  { held, context, own, service, report }: RunningJob,
  promptId: string,
): Promise<TurnEnd> => {
  const { client, clock, store, signal, onCancel, deliver } = context;
  const { id } = held;
  const startedAt = clock.wall();
  const cancel = (): void => void client.cancel(promptId)();
  const stopListening = onCancel(id, cancel);
  const pictures = service
    .previews(promptId)
    .pipe(
      throttleTime(previewEveryMs, undefined, { leading: true, trailing: true }),
      // While the store is away, none waits for it.
      exhaustMap((preview) => from(context.previews.publish(id, preview)).pipe(catchError(() => EMPTY))),
    )
    // The states end with the same error.
    .subscribe({ error: () => undefined });
  try {
    if ((await store.get(id))?.cancelRequestedAt !== undefined) cancel();
    const followed = await followJob(service.states(promptId), own, signal);
    if (followed !== 'ended') return 'back';
  } catch (error) {
    if (!isServiceError(error)) throw error;
    if (error._tag !== 'NotFound') return await back(context);
    await own.move(endedAs({ ...own.state(), promptId }, 'untraceable'));
  } finally {
    stopListening();
    pictures.unsubscribe();
  }
  const { phase } = own.state();
  const error = phase === 'cancelled' ? 'JobCancelled' : 'JobFailed';
  report('run', startedAt, { promptId, ...(phase !== 'completed' && { error }) });
  if (phase === 'completed') await deliver?.(id);
  return isTerminal(phase) ? over(held, context, phase, phase) : 'back';
};

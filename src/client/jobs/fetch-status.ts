import * as E from '../../core/protocol/either.js';
import type { HistoryRecord } from '../../core/endpoints/history.js';
import type { JobDetail } from '../../core/endpoints/job-detail.js';
import type { JobGuarantees } from '../dialects/dialect.js';
import type { JobStatus } from '../../core/endpoints/job-status.js';
import type { JobInput } from '../../core/state/step-job-state.js';
import type { Pace, JobRest } from '../../core/http/rest.js';
import { refusalKind } from '../../core/http/retry.js';
import type { ServiceError, ServiceErrorTag } from '../../core/errors/errors.js';

/**
 * The result of one poll of a job.
 *
 * - `found`: a source knows the job.
 * - `missing`: neither status nor history knows it.
 * - `odd`: an answer that the interface does not have (410, a redirect, a page, …) and that the next poll may meet again.
 * - `failed`: no answer, or one that asks to come back later; it says nothing about the job.
 * - `final`: a refusal that the next poll would meet again.
 */
export type StatusAnswer =
  | {
      readonly kind: 'found';
      readonly event: JobInput;
      /** The job in the jobs API, where the answer came from there. */
      readonly detail?: JobDetail | undefined;
    }
  | { readonly kind: 'missing' | 'odd' | 'failed' | 'final'; readonly error: ServiceError };

/**
 * Asks where a job stands: its status, and its history where the status does not know it or is unreadable.
 *
 * A status route that is broken or refuses for good hides no end of a job: history has it. Each request after the first waits
 * for `nextPermit`, where one is given. With `statusIncludesHistory` a missing status is not looked for in history again.
 */
export const fetchStatus =
  (
    { jobStatus, history }: Pick<JobRest, 'jobStatus' | 'history'>,
    promptId: string,
    {
      statusIncludesHistory = false,
      ...pace
    }: Pace & Partial<Pick<JobGuarantees, 'statusIncludesHistory'>> = {},
  ) =>
  async (): Promise<StatusAnswer> => {
    const status = await jobStatus(promptId, pace)();
    if (E.isRight(status)) return statusFound(status.right);
    const first = answerOf(status.left);
    if (first.kind === 'failed' && first.error._tag !== 'ServerError') return first;
    if (first.kind === 'final' && refusalKind(first.error) === undefined) return first;

    if (statusIncludesHistory && first.kind === 'missing') return first;

    await pace.nextPermit?.();
    const record = await history(promptId, { workflow: false })();
    if (E.isRight(record)) return { kind: 'found', event: historyRead(record.right) };
    const second = answerOf(record.left);
    return weight[second.kind] > weight[first.kind] ? second : first;
  };

/** What a status that was read says. */
export const statusFound = ({
  promptId,
  phase,
  failure,
  queue,
  createdAt,
  detail,
}: JobStatus): StatusAnswer => {
  const queuedAt = createdAt === undefined ? undefined : Date.parse(createdAt);
  return {
    kind: 'found',
    event: { _tag: 'StatusRead', promptId, phase, failure, queue, queuedAt },
    detail,
  };
};

/** What an error of one route says about a job. */
export const answerOf = (error: ServiceError): Exclude<StatusAnswer, { kind: 'found' }> => {
  if (error._tag === 'NotFound') return { kind: 'missing', error };
  if (refusalKind(error) !== undefined || final.has(error._tag) || isAboveBound(error))
    return { kind: 'final', error };
  return { kind: passing.has(error._tag) ? 'failed' : 'odd', error };
};

/** Of two answers that don't know the job the heavier one counts: a failure leaves open what it would have said. */
const weight = { missing: 0, odd: 1, failed: 2, final: 3 } as const;

/** Whether an answer exceeds a bound of the client, as the next one would. */
export const isAboveBound = (error: ServiceError): boolean =>
  error._tag === 'Decode' && error.option !== undefined;

/** What the next request would meet again, besides a refusal of the key or the plan. */
const final: ReadonlySet<ServiceErrorTag> = new Set<ServiceErrorTag>(['InvalidConfig', 'Closed']);

const passing: ReadonlySet<ServiceErrorTag> = new Set<ServiceErrorTag>([
  'Network',
  'Timeout',
  'Aborted',
  'RateLimited',
  'QueueFull',
  'ServerError',
]);

/** Turns a record of history into the event that the fold takes. */
export const historyRead = ({
  promptId,
  outputs,
  phase,
  failure,
  isFinal,
  startedAt,
  endedAt,
}: HistoryRecord): Extract<JobInput, { _tag: 'HistoryRead' }> => ({
  _tag: 'HistoryRead',
  promptId,
  outputs,
  phase,
  failure,
  isFinal,
  startedAt,
  endedAt,
});

import type { CallerBase, V2Job, V2JobError, V2JobStatus } from './documents.js';
import { timestamp } from './documents.js';
import type { GatewayJob } from '../model/gateway-jobs.js';
import { isTerminal } from '../../../core/state/job-state.js';
import { outputDocuments } from './output-documents.js';
import type { OutputSizes } from './output-documents.js';
import { progressDocument } from './progress-document.js';

/** Writes a job as API v2 has it; total for every state. Sizes fill `size_bytes` where the service's record lacks them. */
export const jobDocument = (job: GatewayJob, base: CallerBase, sizes?: OutputSizes): V2Job => {
  const { record, startedAt, endedAt } = job;
  const self = `${new URL(base).pathname.replace(/\/$/u, '')}/api/v2/jobs/${record.id}`;
  return {
    id: record.id,
    status: statusOf(job),
    created_at: timestamp(record.createdAt),
    started_at: startedAt === undefined ? null : timestamp(startedAt),
    completed_at: endedAt === undefined ? null : timestamp(endedAt),
    expires_at: timestamp(record.expiresAt),
    queue_position: null,
    progress: progressDocument(job),
    outputs: outputDocuments(job, base, sizes),
    error: errorOf(job),
    metrics: {
      queue_ms: between(record.createdAt, startedAt),
      execution_ms: between(startedAt, endedAt),
    },
    ...(record.metadata === undefined ? {} : { metadata: record.metadata }),
    urls: { self, events: `${self}/events`, cancel: `${self}/cancel` },
  };
};

/**
 * The status of a job in the words of API v2.
 *
 * A job whose cancellation was asked for is `canceling` until its end is known, and `canceled` where the engine then knows it no
 * more: a local engine forgets a waiting job that it deletes.
 */
export const statusOf = ({ record, state: { phase } }: GatewayJob): V2JobStatus => {
  const isCancelled = record.cancelRequestedAt !== undefined;
  switch (phase) {
    case 'submitting':
    case 'pending':
      return isCancelled ? 'canceling' : 'queued';
    case 'in_progress':
      return isCancelled ? 'canceling' : 'running';
    case 'completed':
      return 'succeeded';
    case 'cancelled':
      return 'canceled';
    case 'untraceable':
      return isCancelled ? 'canceled' : 'expired';
    case 'failed':
    case 'unknown':
      return 'failed';
  }
};

/** Why a job failed; null if it did not. */
const errorOf = (job: GatewayJob): V2JobError | null => {
  const { phase, failure } = job.state;
  if (!isTerminal(phase) || phase === 'completed') return null;
  const status = statusOf(job);
  if (status === 'canceled') return null;
  if (failure === undefined) {
    return status === 'expired'
      ? { code: 'job_lost', message: 'The service does not know the job any more.' }
      : { code: 'job_failed', message: 'The service gave no reason.' };
  }
  const { exceptionType, exceptionMessage, nodeId, nodeType, traceback, candidates } = failure;
  return {
    code: codeOf(phase, exceptionType, nodeId),
    message: exceptionMessage,
    ...(nodeId === undefined ? {} : { node_id: nodeId }),
    ...(nodeType === undefined ? {} : { class_type: nodeType }),
    ...(traceback.length === 0 ? {} : { traceback: traceback.join('') }),
    ...(candidates === undefined || candidates.length === 0 ? {} : { candidates }),
  };
};

const codeOf = (phase: string, exceptionType: string, nodeId: string | undefined): string => {
  if (phase === 'unknown') return 'submission_outcome_unknown';
  if (phase === 'untraceable') return 'job_lost';
  if (nodeId !== undefined) return 'node_execution_error';
  // A service of API v2 sends its code as the type.
  return codesOfTypes.get(exceptionType) ?? (isCode.test(exceptionType) ? exceptionType : 'execution_error');
};

const isCode = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/u;

const codesOfTypes: ReadonlyMap<string, string> = new Map([
  ['InsufficientFundsError', 'insufficient_credits'],
  ['InactiveSubscriptionError', 'forbidden'],
  ['ValidationError', 'invalid_workflow'],
  ['Expired', 'job_expired'],
]);

/** Whole milliseconds between two times; null while one is not known, and never less than 0 if two clocks differ. */
const between = (from: number | undefined, to: number | undefined): number | null =>
  from === undefined || to === undefined ? null : Math.max(0, Math.round(to - from));

import { endPhaseOf, failureOfJob, phaseOfWord } from './job-end.js';
import { groupOutputs } from './outputs.js';
import type { HistoryRecord } from '../history.js';
import { isJsonObject, isTime } from '../../protocol/json/json.js';
import type { JobDetail } from '../job-detail.js';
import type { JobDocument } from './job.js';
import { readQueuePlace } from '../../state/queue-place.js';
import type { JobStatus } from '../job-status.js';

/** A job of API v2 as the status of a job. */
export const statusOfJob =
  (promptId: string) =>
  (job: JobDocument): JobStatus => {
    const phase = phaseOfWord(job.status);
    const queue = phase === 'pending' ? readQueuePlace(job) : undefined;
    const createdAt = job['created_at'];
    return {
      promptId,
      status: job.status,
      // A job that is being cancelled has begun where it says when.
      phase: phase === 'pending' && timeOf(job['started_at']) !== undefined ? 'in_progress' : phase,
      ...(phase === 'failed' && { failure: failureOfJob(job) }),
      ...(queue !== undefined && { queue }),
      ...(typeof createdAt === 'string' && { createdAt }),
    };
  };

/** A job of API v2 as its record, which is there once the job has ended, and whole then; undefined before. */
export const recordOfJob =
  (promptId: string) =>
  (job: JobDocument): HistoryRecord | undefined => {
    const phase = endPhaseOf(job.status);
    if (phase === undefined) return undefined;
    const [startedAt, endedAt] = [timeOf(job['started_at']), timeOf(job['completed_at'])];
    return {
      promptId,
      outputs: groupOutputs(job['outputs']),
      phase,
      ...(phase === 'failed' && { failure: failureOfJob(job) }),
      isFinal: true,
      ...(startedAt !== undefined && { startedAt }),
      ...(endedAt !== undefined && { endedAt }),
      record: job,
    };
  };

/** A job of API v2 as the jobs API reports one. */
export const detailOfJob =
  (promptId: string) =>
  (job: JobDocument): JobDetail => {
    const { status, phase, queue, failure } = statusOfJob(promptId)(job);
    const [queuedAt, startedAt, endedAt] = ['created_at', 'started_at', 'completed_at'].map((name) =>
      timeOf(job[name]),
    );
    const { outputs, metrics } = job;
    const { queue_ms: queueMs, execution_ms: executionMs } = isJsonObject(metrics) ? metrics : {};
    return {
      promptId,
      status,
      phase,
      outputs: groupOutputs(outputs),
      ...(Array.isArray(outputs) && { outputsCount: outputs.filter(isJsonObject).length }),
      ...(queue !== undefined && { queue }),
      ...(queuedAt !== undefined && { queuedAt }),
      ...(startedAt !== undefined && { startedAt }),
      ...(endedAt !== undefined && { endedAt }),
      ...(isDuration(queueMs) && { queueMs }),
      ...(isDuration(executionMs) && { executionMs }),
      ...(failure !== undefined && { failure }),
    };
  };

const isDuration = (value: unknown): value is number => typeof value === 'number' && value >= 0;

const timeOf = (text: unknown): number | undefined => {
  const time = typeof text === 'string' ? Date.parse(text) : undefined;
  return isTime(time) ? time : undefined;
};

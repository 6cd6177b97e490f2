import { isJsonObject } from '../../core/protocol/json/json.js';
import type { JobLogEvent } from '../../core/events/job-log-event.js';
import type { JobState } from '../../core/state/job-state.js';
import { readJobEvent } from '../../core/events/read-job-event.js';
import { readState } from './read-answer.js';

/** One event of the gateway's stream of all jobs, with its id: the stream goes on after it. */
export type StreamEvent = { readonly id: string } & (
  | { readonly type: 'snapshot'; readonly jobs: readonly JobState[] }
  | { readonly type: 'job'; readonly job: string; readonly event: JobLogEvent }
  | { readonly type: 'preview'; readonly preview: PreviewNews }
  /** The job was deleted, or its time is over. */
  | { readonly type: 'deleted'; readonly job: string }
  | { readonly type: 'revoked' }
  /** Changes nothing, or is of a later version. */
  | { readonly type: 'other' }
);

/** A node of a job has a new preview. */
export interface PreviewNews {
  readonly job: string;
  readonly nodeId: string;
  /** Another one for each preview of the job. */
  readonly id: string;
}

/** Reads an event; undefined for a line that is no event. */
export const readStreamEvent = (value: unknown): StreamEvent | undefined => {
  if (!isJsonObject(value)) return undefined;
  const { id, event: name, data } = value;
  if (typeof id !== 'string' || typeof name !== 'string' || !isJsonObject(data)) return undefined;
  switch (name) {
    case 'snapshot': {
      const listed: readonly unknown[] = Array.isArray(data['jobs']) ? data['jobs'] : [undefined];
      const jobs = listed.map((job) => (isJsonObject(job) ? readState(job['state']) : undefined));
      return jobs.every((state) => state !== undefined) ? { id, type: 'snapshot', jobs } : undefined;
    }
    case 'submitted':
    case 'status':
    case 'output':
    case 'progress': {
      const { job, ...event } = data;
      return typeof job === 'string' && isJobEvent(event)
        ? { id, type: 'job', job, event: readJobEvent(event) }
        : undefined;
    }
    case 'preview': {
      const { job, nodeId, id: preview } = data;
      return typeof job === 'string' && typeof nodeId === 'string' && typeof preview === 'string'
        ? { id, type: 'preview', preview: { job, nodeId, id: preview } }
        : undefined;
    }
    case 'deleted': {
      const { job } = data;
      return typeof job === 'string' ? { id, type: 'deleted', job } : undefined;
    }
    default:
      return { id, type: name === 'revoked' ? 'revoked' : 'other' };
  }
};

const isJobEvent = (
  event: Readonly<Record<string, unknown>>,
): event is JobLogEvent & Record<string, unknown> => {
  const { type, state, status, progress, nodeId, outputs } = event;
  switch (type) {
    case 'submitted':
      return readState(state) !== undefined;
    case 'status':
      return (
        isJsonObject(status) &&
        typeof status['phase'] === 'string' &&
        isJsonObject(status['nodeErrors']) &&
        (progress === undefined || isProgress(progress))
      );
    case 'output':
      return typeof nodeId === 'string' && isJsonObject(outputs);
    default:
      return isProgress(progress);
  }
};

const isProgress = (progress: unknown): boolean =>
  isJsonObject(progress) && isJsonObject(progress['nodes']) && typeof progress['progress'] === 'number';

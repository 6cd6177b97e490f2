import { address, count, labels, nullable, object, timestamp, words } from './shapes.js';
import { annotated } from './annotated.js';
import * as t from 'io-ts';

/** The words of a job's status. */
export const v2Status = words(
  ...(['queued', 'running', 'canceling', 'succeeded', 'failed', 'canceled', 'expired'] as const),
);

const hash = annotated(t.string, { pattern: '^blake3:[0-9a-f]{64}$' });

/** How far a job is, as a whole. */
export const v2Progress = object(
  'V2Progress',
  { value: annotated(t.number, { minimum: 0, maximum: 1 }), nodes_done: count, nodes_total: count },
  {
    current_node: t.string,
    current_node_class: t.string,
    step: count,
    steps: count,
    message: t.string,
  },
);

/** The kinds of an output. */
export const v2OutputType = words('image', 'video', 'audio', 'text', 'file', 'latent');

/** One output of a job; its id is that of an asset. */
export const v2Output = t.type(
  {
    node_id: t.string,
    name: t.string,
    type: v2OutputType,
    content_type: t.string,
    size_bytes: annotated(count, { description: '0 while it is not known.' }),
    id: t.string,
    hash: nullable(hash),
    url: address,
    url_expires_at: timestamp,
    job_id: t.string,
  },
  'V2Output',
);

/** Why a job failed. */
export const v2JobError = object(
  'V2JobError',
  { code: t.string, message: t.string },
  {
    node_id: t.string,
    class_type: t.string,
    traceback: t.string,
    // The service's ids of the jobs that a submission of unknown outcome may have become.
    candidates: t.readonlyArray(t.string),
  },
);

/** A job of API v2: the answer of submit, get and cancel. */
export const v2Job = object(
  'V2Job',
  {
    id: t.string,
    status: v2Status,
    created_at: timestamp,
    started_at: nullable(timestamp),
    completed_at: nullable(timestamp),
    expires_at: timestamp,
    queue_position: nullable(count),
    progress: nullable(v2Progress),
    outputs: t.readonlyArray(v2Output),
    error: nullable(v2JobError),
    metrics: t.type({ queue_ms: nullable(count), execution_ms: nullable(count) }, 'V2Metrics'),
    urls: t.type({ self: t.string, events: t.string, cancel: t.string }, 'V2JobUrls'),
  },
  { metadata: labels },
);

/** A page of jobs, the newest first. */
export const v2Jobs = object(
  'V2JobPage',
  {
    jobs: t.readonlyArray(
      object(
        'V2ListedJob',
        { id: t.string, status: v2Status, create_time: timestamp, update_time: timestamp },
        { metadata: labels },
      ),
    ),
  },
  { next_cursor: t.string },
);

/** The workflow of a job, as it was submitted. */
export const v2Workflow = t.type({ workflow: t.UnknownRecord, format: t.literal('api') }, 'V2Workflow');

/** A file that was uploaded, or the output of a job. */
export const v2Asset = object(
  'V2Asset',
  {
    id: t.string,
    hash: nullable(hash),
    size_bytes: count,
    content_type: t.string,
    created_at: timestamp,
    url: address,
    url_expires_at: timestamp,
  },
  { file_path: t.string, created_new: t.boolean, expires_at: timestamp, job_id: t.string },
);

/** A refusal of API v2. */
export const v2Error = t.type(
  {
    error: object('V2ErrorBody', { code: t.string, message: t.string }, { details: t.UnknownRecord }),
  },
  'V2Error',
);

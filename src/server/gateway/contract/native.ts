import { address, count, epochMs, labels, object, webhookKind, words } from './shapes.js';
import { jobState } from './job-state.js';
import * as t from 'io-ts';

/** A file of a job's outputs, or a picture that it sent over the socket, and where the gateway serves it. */
export const nativeFile = t.type(
  {
    id: t.string,
    nodeId: t.string,
    filename: t.string,
    type: t.string,
    mediaType: t.string,
    url: address,
  },
  'JobFile',
);

const jobMembers = {
  required: { id: t.string, state: jobState, createdAt: epochMs, expiresAt: epochMs },
  optional: {
    startedAt: epochMs,
    endedAt: epochMs,
    cancelRequestedAt: epochMs,
    metadata: labels,
    template: t.string,
  },
};

/** A job in a snapshot of a stream. */
export const streamedJob = object('StreamedJob', jobMembers.required, jobMembers.optional);

/** A job as the gateway's own routes show it. */
export const nativeJob = object(
  'Job',
  { ...jobMembers.required, files: t.readonlyArray(nativeFile) },
  jobMembers.optional,
);

/** A job that a call waited for, with its files by the names of the nodes that made them. */
export const endedJob = t.intersection(
  [nativeJob, t.type({ outputs: t.record(t.string, t.readonlyArray(nativeFile)) })],
  'EndedJob',
);

/** A page of jobs, the newest first. */
export const nativeJobs = object('JobPage', { jobs: t.readonlyArray(nativeJob) }, { next: t.string });

/** A job whose end was asked for. */
export const cancelledJob = t.intersection([nativeJob, t.type({ requested: t.boolean })], 'CancelledJob');

/** What an upload is called in workflows and inputs. */
export const uploadedFile = t.type(
  {
    name: t.string,
    subfolder: t.string,
    type: t.string,
    asset: object('AssetName', { id: t.string }, { hash: t.string }),
    sizeBytes: count,
    mediaType: t.string,
  },
  'UploadedFile',
);

const keptFiles = words('deleted', 'kept');

/** That a job is deleted, and what became of the service's files. */
export const deletedJob = t.type({ id: t.string, files: keptFiles }, 'DeletedJob');

/** What became of each of several jobs. */
export const deletedJobs = t.type(
  {
    jobs: t.readonlyArray(
      object(
        'JobDeletion',
        { id: t.string, result: words('deleted', 'running', 'unknown', 'failed') },
        { files: keptFiles },
      ),
    ),
  },
  'DeletedJobs',
);

/** A refusal, as problem details (RFC 9457). */
export const problemDetails = t.type(
  { type: t.string, title: t.string, status: count, detail: t.string, code: t.string },
  'ProblemDetails',
);

/** That the process serves. */
export const health = t.type({ status: t.literal('ok') }, 'Health');

/** That its service answers; `damaged` counts what its store could not read. */
export const readiness = object('Readiness', { status: t.literal('ready') }, { damaged: count });

/** A caller's webhook; of its secrets only how many there are. */
export const webhook = object(
  'Webhook',
  {
    url: address,
    events: t.readonlyArray(webhookKind),
    secrets: count,
    createdAt: epochMs,
    status: words('active', 'parked'),
  },
  {
    parked: t.type({ at: epochMs, reason: t.string }, 'ParkedWebhook'),
    lastFailure: t.string,
  },
);

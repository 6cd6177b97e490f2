import type { Client } from '../../../client/client-types.js';
import type { Deletion } from '../../../client/dialects/deletion.js';
import type { FileContent, SubmitOptions, ViewOptions } from '../../../core/http/rest-options.js';
import type { FiledJob } from '../services/gateway-service.js';
import type { FileRef } from '../../../core/protocol/file-ref.js';
import type { Job } from '../../../client/jobs/job-handle.js';
import type { JobPlace, JobRecord, KeptSubmission } from '../../joblog/job-index.js';
import type { JobState } from '../../../core/state/job-state.js';
import type { Preview } from '../../../core/protocol/frames/frame.js';
import type { RecentJob } from '../../../core/endpoints/recent-jobs.js';
import type { ServiceError } from '../../../core/errors/errors.js';
import type { SubmissionIds } from '../../../core/lost/submission-ids.js';
import type { Workflow } from '../../../core/protocol/workflow.js';
import type { ImagePlace, JobImage } from '../../joblog/job-images.js';
import { isOfQueue, type QueueLog } from '../../joblog/queue-log.js';
import { type JobSearch, jobsSince } from '../../../core/lost/jobs-since.js';
import { carriesMarker, markerField } from '../../../core/lost/match-candidates.js';
import type { Observable } from 'rxjs';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

/** A job of the service as the gateway follows it. */
export type UpstreamJob = Pick<Job, 'promptId' | 'frames'> & { readonly states: Observable<UpstreamState> };

/** A state of a job as the gateway follows it. */
export type UpstreamState = JobState & {
  /** It is the first state of another submission: outputs of the former one no longer count. */
  readonly isAnew?: true;
};

/** The record of a job, and how its place is written. */
export interface KeptJob {
  readonly record: JobRecord;
  /** Keeps the server that gets the job, before its submission leaves. */
  readonly placed: (place: JobPlace) => Promise<void>;
}

/** How the gateway submits: for the owner of the job. */
export interface UpstreamSubmitOptions extends Pick<
  SubmitOptions,
  'extraData' | 'partnerKey' | 'submissionId'
> {
  readonly owner: string;
  /** The files that the workflow names. */
  readonly files?: KeptSubmission['files'] | undefined;
  /** Keeps the server that gets the job, before its submission leaves. */
  readonly placed?: KeptJob['placed'] | undefined;
}

/** What takes the gateway's jobs: a client, or a queue in front of several. */
export interface Upstream {
  /** What the service makes of the id of a submission, as far as it has shown it, and so whether a job can be found by it. */
  readonly submissionIds: SubmissionIds;
  /** Whether a job may wait in this process, so that its record needs the whole submission. */
  readonly keepsJobs?: boolean;
  /** Each run is one submission. */
  readonly submit: (
    workflow: Workflow,
    options: UpstreamSubmitOptions,
  ) => TaskEither<ServiceError, UpstreamJob>;
  /** Follows a job that exists already. */
  readonly job: (promptId: string, workflow?: Workflow, kept?: KeptJob) => UpstreamJob;
  readonly cancel: (promptId: string) => TaskEither<ServiceError, void>;
  /** Deletes a job that has ended, and its files where the service can; absent if nothing is deleted. */
  readonly delete?: (promptId: string, record?: JobRecord) => TaskEither<ServiceError, Deletion>;
  readonly view: (
    file: FileRef,
    options: ViewOptions | undefined,
    job: FiledJob,
  ) => TaskEither<ServiceError, FileContent>;
  /** The previews of a job by the id of its submission; only where every process of a gateway gets them, and `frames` have none. */
  readonly previews?: (submissionId: string) => Observable<Preview>;
  /** A picture that a job sent over the socket, by the id of its submission; only where the states of jobs hold no bytes. */
  readonly image?: (submissionId: string, place: ImagePlace) => Promise<JobImage | undefined>;
  /** The log that the service itself writes of its jobs: they are read there, and not followed. Absent, the gateway writes what it follows. */
  readonly log?: QueueLog | undefined;
  /** Lists the jobs that may be of a submission whose answer never came; absent if none can be found. */
  readonly jobsSince?: (
    search: Pick<JobSearch, 'since' | 'isMeant' | 'unclaimed'>,
  ) => Promise<readonly RecentJob[] | undefined>;
}

/** The log that supplies the events of a job; undefined for one that the gateway follows. */
export const logOf = (
  record: Pick<JobRecord, 'id' | 'submissionId'>,
  upstream: Pick<Upstream, 'log'> | undefined,
): QueueLog | undefined => (isOfQueue(record) ? upstream?.log : undefined);

/** Lets a client take the gateway's jobs. */
export const upstreamOf = (client: Client): Upstream => ({
  get submissionIds() {
    return client.submissionIds;
  },
  submit: (workflow, { extraData, partnerKey, submissionId }) =>
    client.submit(workflow, {
      ...{ partnerKey, submissionId },
      // The gateway answers its caller at once, and looks for the job by its own record.
      findLost: false,
      extraData: carriesMarker(client.submissionIds)
        ? { ...extraData, [markerField]: submissionId }
        : extraData,
    }),
  job: (promptId, workflow) => client.job(promptId, { workflow }),
  cancel: (promptId) => client.cancel(promptId),
  delete: (promptId) => client.delete(promptId),
  view: (file, options) => client.rest.view(file, options),
  jobsSince: (search) =>
    jobsSince({ ...search, rest: client.rest, isMarked: carriesMarker(client.submissionIds) }),
});

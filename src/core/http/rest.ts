import type { Call } from '../interop/call.js';
import type { EngineRest } from './engine-rest.js';
import { noEngine } from './later-engine.js';
import { type Cancellation, cancelEndpoint } from '../endpoints/cancel.js';
import * as E from '../protocol/either.js';
import type { Endpoint } from '../endpoints/endpoint.js';
import type { HttpConnection, UploadFile } from './connection.js';
import { type JobAsset, jobAssetsEndpoint } from '../endpoints/job-assets.js';
import { type Features, featuresEndpoint } from '../endpoints/features.js';
import { cancelOneJob, type JobCancellation } from './cancel-one-job.js';
import { interruptEndpoint } from '../endpoints/interrupt.js';
import { nodeReplacementsEndpoint } from '../endpoints/node-replacements.js';
import type { JobDetail } from '../endpoints/job-detail.js';
import { type JobsApi, jobsApi } from './jobs-api.js';
import { statusByJobsApi } from './status-by-jobs-api.js';
import { type ObjectInfo, objectInfoEndpoint } from '../endpoints/object-info.js';
import { openSource } from './upload-source.js';
import { withoutV2, type V2Rest } from './v2-rest.js';
import { sendSubmission } from './send-submission.js';
import { type Queue, queueEndpoint } from '../endpoints/queue.js';
import { readJobDetail } from './read-job-detail.js';
import { recentJobs } from './recent-jobs.js';
import { request } from './request.js';
import type { ServiceError } from '../errors/errors.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { type SystemStats, systemStatsEndpoint } from '../endpoints/system-stats.js';
import { uploadImageEndpoint, uploadMaskEndpoint } from '../endpoints/upload.js';
import { type User, userEndpoint } from '../endpoints/user.js';
import { view } from './view.js';
import type { FileRef, UploadedFile } from '../protocol/file-ref.js';
import type { HistoryRecord } from '../endpoints/history.js';
import type { JobStatus } from '../endpoints/job-status.js';
import type { RecentJob } from '../endpoints/recent-jobs.js';
import type { Submission } from '../endpoints/submit.js';
import type { Workflow } from '../protocol/workflow.js';
import type {
  CallOptions,
  FileContent,
  InterruptOptions,
  ObjectInfoOptions,
  Pace,
  RecentJobsOptions,
  JobDetailOptions,
  RecordOptions,
  SubmitOptions,
  UploadOptions,
  UploadSource,
  ViewOptions,
  Withdrawal,
} from './rest-options.js';

export type { Cancellation } from '../endpoints/cancel.js';
export type { HistoryRecord } from '../endpoints/history.js';
export type { JobDetail } from '../endpoints/job-detail.js';
export type { JobStatus } from '../endpoints/job-status.js';
export type { NodeInfo, ObjectInfo } from '../endpoints/object-info.js';
export type { Queue, QueueItem } from '../endpoints/queue.js';
export type { RecentJob } from '../endpoints/recent-jobs.js';
export type { SystemStats } from '../endpoints/system-stats.js';
export type { Submission } from '../endpoints/submit.js';
export type { User } from '../endpoints/user.js';
export type * from './rest-options.js';

/**
 * Every REST endpoint of the interface, and the jobs API where there is one.
 *
 * Each call is lazy and never rejects: running the `TaskEither` sends the request, running it again sends it again. Right is the
 * answer, read and checked; Left is a `ServiceError`: of the answer (`BadRequest`, `NotFound`, `Decode`, …), of the network
 * (`Network`, `Timeout`) or of the caller (`Aborted`, `Closed`). Reads are repeated where that may help. Calls need no socket.
 */
export interface Rest extends EngineRest, V2Rest {
  /**
   * Reads which node classes the service has, or one of them by `nodeClass`: `GET /api/object_info`.
   *
   * All of them are several megabytes, of some services 60; up to 128 MiB are read, in pieces. Definitions without the members that the interface promises are
   * left out. Left `NotFound` for a class that does not exist.
   *
   * @example
   * ```ts
   * import { toPromise, type Client } from 'promptwire';
   *
   * const samplers = async (client: Client): Promise<unknown> =>
   *   (await toPromise(client.rest.objectInfo({ nodeClass: 'KSampler' })))['KSampler']?.input.required?.['sampler_name'];
   * ```
   */
  readonly objectInfo: (options?: ObjectInfoOptions) => Call<ObjectInfo>;
  /**
   * Reads which classes the service puts in place of those that it lacks, as sent: `GET /api/node_replacements`. It is a fact of
   * `preflightReport`. Left `NotFound` where a server replaces none, with API v2 `NotSupported`.
   */
  readonly nodeReplacements: (options?: CallOptions) => Call<Readonly<Record<string, unknown>>>;
  /**
   * Uploads a picture or any other file for use in workflows: `POST /api/upload/image`; of API v2 `POST /api/v2/assets`.
   *
   * `setInput` puts the answer into a workflow. A cloud service derives the name from the bytes, so equal bytes get the same name
   * and a repeated upload does no harm; API v2 is asked for the bytes by their hash, and they are sent only where it lacks them.
   * Bytes are copied when the call runs, and a path is read while it is sent. Left `BadRequest` or `TooLarge` for a file that the
   * service finds too large, `HashMismatch` for bytes that arrived as others, `FileSystem` for a path that can't be read.
   *
   * @example
   * ```ts
   * import { setInput, toPromise, type Client, type Workflow } from 'promptwire';
   *
   * const withPicture = async (client: Client, workflow: Workflow, path: string) => {
   *   const file = await toPromise(client.rest.uploadImage(path));
   *   return setInput(workflow, '10', 'image', file);
   * };
   * ```
   */
  readonly uploadImage: (source: UploadSource, options?: UploadOptions) => Call<UploadedFile>;
  /**
   * Uploads a mask for a picture that the service has: `POST /api/upload/mask`.
   *
   * The answer names a new file with the colours of `original` and the alpha channel of the mask, a PNG; the original stays. Give
   * the `type` of `original`: it defaults to `output`, and an uploaded file is `input`.
   */
  readonly uploadMask: (
    source: UploadSource,
    original: FileRef,
    options?: UploadOptions,
  ) => Call<UploadedFile>;
  /**
   * Submits a workflow and gives the service's answer: `POST /api/prompt`. **Each run is one submission, so running it twice makes
   * two jobs that both cost money.**
   *
   * It listens to nothing and follows nothing: `client.submit` and `client.run` do. Never sent again where the service may have
   * accepted it: then Left is `OutcomeUnknown`. Left `BadRequest`, with `nodeErrors`, for a workflow that does not validate.
   * Right has `problems` where an integer of the workflow may have been rounded before it came here.
   */
  readonly submit: (workflow: Workflow, options?: SubmitOptions) => Call<Submission>;
  /**
   * Reads how a job stands: `GET /api/job/{id}/status`; of a local server its queue, then its history. Where the server has a jobs API,
   * which a client finds out once, it is `GET /api/jobs/{id}`, and `detail` of the answer has the rest of it.
   *
   * Left `NotFound` where the service does not know the job, which may also be too young to be listed.
   */
  readonly jobStatus: (promptId: string, options?: CallOptions) => Call<JobStatus>;
  /**
   * Reads a job from the jobs API, with the number of its outputs: `GET /api/jobs/{id}`.
   *
   * Left `NotFound` also where the service has no jobs API.
   */
  readonly jobDetail: (promptId: string, options?: JobDetailOptions) => Call<JobDetail>;
  /** The former name of `jobDetail`. @deprecated Use `jobDetail`: `client.job` is another thing, a handle of a job. */
  readonly job: (promptId: string, options?: JobDetailOptions) => Call<JobDetail>;
  /**
   * Reads a job's record, with its outputs: `GET /api/history_v2/{id}`; of a local server `GET /api/history/{id}`.
   *
   * Left `NotFound` while there is no record yet. A record may grow until `isFinal`; `client.job(id).outputs` waits for that. A record
   * has the whole workflow: `workflow: false` skips it, with all of `record.prompt`, where the record is a large one.
   */
  readonly history: (promptId: string, options?: RecordOptions) => Call<HistoryRecord>;
  /**
   * Fetches one file: `GET /api/view`, and where that redirects the signed address, without the key.
   *
   * Right once the headers are there; read the content once, or call `discard`, since it holds a connection. Left
   * `DownloadFailed` where the service or the storage has no such file, after four seconds of retries; `UnsafeRedirect` where it
   * leads to an address that the client does not follow. A page can't follow the redirect of a cloud service.
   *
   * @example
   * ```ts
   * import { toPromise, type Client, type OutputFile } from 'promptwire';
   *
   * const bytesOf = async (client: Client, file: OutputFile): Promise<Uint8Array> =>
   *   (await toPromise(client.rest.view(file))).bytes();
   * ```
   */
  readonly view: (file: FileRef, options?: ViewOptions) => Call<FileContent>;
  /**
   * Lists which jobs run and which wait, the next one first: `GET /api/queue`.
   *
   * A local server lists each job with its whole workflow: `workflow: false` skips those of a large listing.
   */
  readonly queue: (options?: RecordOptions) => Call<Queue>;
  /**
   * Lists the latest jobs of the history: `GET /api/history_v2`; of a local server `GET /api/history`.
   *
   * They come in the order of the service. A cloud service leaves their workflows out, and its list may trail; jobs that wait
   * are in `queue`. Left `NotFound` where the service lists no history, with API v2 `NotSupported`.
   *
   * @example
   * ```ts
   * import { toPromise, type Client } from 'promptwire';
   *
   * const lastIds = async (client: Client): Promise<readonly string[]> =>
   *   (await toPromise(client.rest.recentJobs({ limit: 10 }))).map(({ promptId }) => promptId);
   * ```
   */
  readonly recentJobs: (options?: RecentJobsOptions) => Call<readonly RecentJob[]>;
  /**
   * Asks for the end of these jobs: `POST /api/queue`.
   *
   * Right says that the service took the request; `deleted` is absent if it does not say which jobs it reached, and some
   * services reach waiting jobs only. `client.cancel` ends one job wherever it is.
   */
  readonly cancel: (promptIds: readonly string[], options?: CallOptions) => Call<Cancellation>;
  /**
   * Ends the running job with this id: `POST /api/interrupt`. **Without `promptId` it ends every running job of the account**,
   * those of other programs as well. So does a local engine of before September 2025 with one: it ignores the id.
   *
   * Never sent twice: a second one could end the next job. The library calls it without an id nowhere.
   */
  readonly interrupt: (options?: InterruptOptions) => Call<void>;
  /**
   * Reads the state of the account that the key belongs to: `GET /api/user`.
   *
   * Left `Unauthorized` for a key that the service refuses, `NotFound` on a local server, which has no accounts.
   */
  readonly user: (options?: CallOptions) => Call<User>;
  /**
   * Reads what the server, or the account there, can do: `GET /api/features`.
   *
   * An open object, of which any member may be absent: absent means unknown, not false. Left `NotFound` where a server has no such
   * route, with API v2 `NotSupported`.
   */
  readonly features: (options?: CallOptions) => Call<Features>;
  /**
   * Reads what the server tells of its machine: `GET /api/system_stats`.
   *
   * A local engine has versions, main memory and devices; a cloud service little of it. Left `NotFound` where a server has no such route,
   * with API v2 `NotSupported`.
   */
  readonly systemStats: (options?: CallOptions) => Call<SystemStats>;
  /**
   * Lists the files of a job as a cloud service keeps them, at most 500: `GET /api/jobs/{id}/assets`. Left `NotFound` where the service
   * does not know the job or has no such list, with API v2 `NotSupported`.
   */
  readonly jobAssets: (promptId: string, options?: CallOptions) => Call<readonly JobAsset[]>;
}

/** The calls as jobs make them: a submission that can be withdrawn, and a status that waits for permits. */
export interface JobRest extends Rest {
  readonly submit: (
    workflow: Workflow,
    options?: SubmitOptions & Withdrawal,
  ) => TaskEither<ServiceError, Submission>;
  readonly jobStatus: (promptId: string, options?: CallOptions & Pace) => TaskEither<ServiceError, JobStatus>;
  /** Cancels one job by the jobs API, where the server has that. */
  readonly cancelJob: (promptId: string, options?: CallOptions) => TaskEither<ServiceError, JobCancellation>;
  /** Which routes of the jobs API the server has; these calls note what their answers show of it. */
  readonly jobsApi: JobsApi;
}

/**
 * Every REST endpoint of the interface over one connection; nothing is sent before a call is run
 * (docs/protocol.md, chapter 2).
 */
export const createRest = (connection: HttpConnection): JobRest => {
  const { dialect } = connection;
  const ask = request(connection);
  const jobs = jobsApi(connection.platform.clock);

  const upload =
    <A>(source: UploadSource, endpointOf: (file: UploadFile) => Endpoint<A>, options?: CallOptions) =>
    async (): Promise<E.Either<ServiceError, A>> => {
      const file = await openSource(connection, source);
      return E.isLeft(file) ? file : ask(endpointOf(file.right), options)();
    };

  const jobDetail = readJobDetail(connection, jobs);

  return {
    ...noEngine,
    objectInfo: (options = {}) => ask(objectInfoEndpoint(options.nodeClass, options.userModels), options),
    uploadImage: (source, options = {}) =>
      upload(source, ({ content, filename }) => uploadImageEndpoint(content, filename, options), options),
    uploadMask: (source, original, options = {}) =>
      upload(
        source,
        ({ content, filename }) => uploadMaskEndpoint(content, filename, original, options),
        options,
      ),
    submit: (workflow, options = {}): ReturnType<JobRest['submit']> =>
      deferred(() => sendSubmission(connection, workflow, options)),
    jobStatus: statusByJobsApi(connection, jobs, dialect.jobStatus(connection)),
    jobDetail,
    job: jobDetail, // eslint-disable-line @typescript-eslint/no-deprecated -- public for one more minor version
    history: dialect.history(connection),
    view: (file, options) => view(connection, file, options),
    queue: (options) => ask(queueEndpoint(options), options),
    recentJobs: (options) => recentJobs(connection, options),
    cancel: (promptIds, options) => deferred(() => ask(cancelEndpoint(promptIds), options)),
    cancelJob: (promptId, options) => cancelOneJob(connection, jobs, promptId, options),
    interrupt: (options = {}) => ask(interruptEndpoint(options.promptId), options),
    user: (options) => ask(userEndpoint(), options),
    features: (options) => ask(featuresEndpoint(), options),
    nodeReplacements: (options) => ask(nodeReplacementsEndpoint(), options),
    systemStats: (options) => ask(systemStatsEndpoint(), options),
    jobAssets: (promptId, options) => ask(jobAssetsEndpoint(promptId), options),
    ...withoutV2,
    jobsApi: jobs,
  };
};

/** Builds the request at each run, from the arguments as they are then. */
const deferred =
  <A>(make: () => TaskEither<ServiceError, A>): TaskEither<ServiceError, A> =>
  () =>
    make()();

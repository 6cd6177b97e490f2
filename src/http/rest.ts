import { cancelEndpoint } from '../endpoints/cancel.js';
import * as E from '../protocol/either.js';
import type { Endpoint } from '../endpoints/endpoint.js';
import type { HttpConnection, UploadFile } from './connection.js';
import { interruptEndpoint } from '../endpoints/interrupt.js';
import { jobDetailEndpoint } from '../endpoints/job-detail.js';
import { objectInfoEndpoint } from '../endpoints/object-info.js';
import { openSource } from './upload-source.js';
import { prepareSubmission } from './submission.js';
import { queueEndpoint } from '../endpoints/queue.js';
import { request } from './request.js';
import type { ServiceError } from '../errors/errors.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { uploadImageEndpoint, uploadMaskEndpoint } from '../endpoints/upload.js';
import { userEndpoint } from '../endpoints/user.js';
import { view } from './view.js';
import type { FileRef } from '../state/outputs.js';
import type { HistoryRecord } from '../endpoints/history.js';
import type { JobDetail } from '../endpoints/job-detail.js';
import type { JobStatus } from '../endpoints/job-status.js';
import type { ObjectInfo } from '../endpoints/object-info.js';
import type { Queue } from '../endpoints/queue.js';
import type { Submission } from '../endpoints/submit.js';
import type { UploadedFile } from '../endpoints/upload.js';
import type { User } from '../endpoints/user.js';
import type { Workflow } from '../protocol/workflow.js';
import type {
  CallOptions,
  FileContent,
  Pace,
  SubmitOptions,
  UploadOptions,
  UploadSource,
  ViewOptions,
  Withdrawal,
} from './rest-options.js';

export type { FileRef } from '../state/outputs.js';
export type { HistoryRecord } from '../endpoints/history.js';
export type { JobDetail } from '../endpoints/job-detail.js';
export type { JobStatus } from '../endpoints/job-status.js';
export type { NodeInfo, ObjectInfo } from '../endpoints/object-info.js';
export type { Queue, QueueItem } from '../endpoints/queue.js';
export type { Submission } from '../endpoints/submit.js';
export type { UploadedFile } from '../endpoints/upload.js';
export type { User } from '../endpoints/user.js';
export type * from './rest-options.js';

/**
 * Every REST endpoint of the interface, and the jobs API where there is one. Each call is lazy and never rejects; running it again
 * sends it again.
 */
export interface Rest {
  readonly objectInfo: (
    options?: CallOptions & { readonly nodeClass?: string | undefined },
  ) => TaskEither<ServiceError, ObjectInfo>;
  readonly uploadImage: (
    source: UploadSource,
    options?: UploadOptions,
  ) => TaskEither<ServiceError, UploadedFile>;
  readonly uploadMask: (
    source: UploadSource,
    original: FileRef,
    options?: UploadOptions,
  ) => TaskEither<ServiceError, UploadedFile>;
  readonly submit: (
    workflow: Workflow,
    options?: SubmitOptions & Withdrawal,
  ) => TaskEither<ServiceError, Submission>;
  readonly jobStatus: (promptId: string, options?: CallOptions & Pace) => TaskEither<ServiceError, JobStatus>;
  /** The jobs API's view of a job, with the number of its outputs; `NotFound` also where the service has no jobs API. */
  readonly job: (promptId: string, options?: CallOptions) => TaskEither<ServiceError, JobDetail>;
  /** `NotFound` while there is no record yet. */
  readonly history: (promptId: string, options?: CallOptions) => TaskEither<ServiceError, HistoryRecord>;
  readonly view: (file: FileRef, options?: ViewOptions) => TaskEither<ServiceError, FileContent>;
  readonly queue: (options?: CallOptions) => TaskEither<ServiceError, Queue>;
  /** Asks for the end of these jobs; `deleted` is absent where the service does not say. */
  readonly cancel: (
    promptIds: readonly string[],
    options?: CallOptions,
  ) => TaskEither<ServiceError, { readonly deleted?: readonly string[] }>;
  /** Ends the running job with this id; without `promptId` it ends every running job of the account. */
  readonly interrupt: (
    options?: CallOptions & { readonly promptId?: string | undefined },
  ) => TaskEither<ServiceError, void>;
  readonly user: (options?: CallOptions) => TaskEither<ServiceError, User>;
}

/**
 * Every REST endpoint of the interface over one connection; nothing is sent before a call is run
 * (docs/protocol.md, chapter 2).
 */
const createRest = (connection: HttpConnection): Rest => {
  const { dialect } = connection;
  const ask = request(connection);

  const upload =
    <A>(source: UploadSource, endpointOf: (file: UploadFile) => Endpoint<A>, options?: CallOptions) =>
    async (): Promise<E.Either<ServiceError, A>> => {
      const file = await openSource(connection, source);
      return E.isLeft(file) ? file : ask(endpointOf(file.right), options)();
    };

  return {
    objectInfo: (options = {}) => ask(objectInfoEndpoint(options.nodeClass), options),
    uploadImage: (source, options = {}) =>
      upload(source, ({ content, filename }) => uploadImageEndpoint(content, filename, options), options),
    uploadMask: (source, original, options = {}) =>
      upload(
        source,
        ({ content, filename }) => uploadMaskEndpoint(content, filename, original, options),
        options,
      ),
    submit: (workflow, options = {}): ReturnType<Rest['submit']> =>
      deferred(() => {
        const prepared = prepareSubmission(connection, workflow, options);
        return E.isLeft(prepared)
          ? () => Promise.resolve(prepared)
          : request(prepared.right.connection)(prepared.right.endpoint, options);
      }),
    jobStatus: dialect.jobStatus(connection),
    job: (promptId, options) => ask(jobDetailEndpoint(promptId), options),
    history: (promptId, options) => ask(dialect.history(promptId), options),
    view: (file, options) => view(connection, file, options),
    queue: (options) => ask(queueEndpoint(), options),
    cancel: (promptIds, options) => deferred(() => ask(cancelEndpoint(promptIds), options)),
    interrupt: (options = {}) => ask(interruptEndpoint(options.promptId), options),
    user: (options) => ask(userEndpoint(), options),
  };
};

/** Builds the request at each run, from the arguments as they are then. */
const deferred =
  <A>(make: () => TaskEither<ServiceError, A>): TaskEither<ServiceError, A> =>
  () =>
    make()();

// A default export, which the entry's `export type *` of this module leaves out.
export default createRest;

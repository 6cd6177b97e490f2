import type { CallOptions, UploadOptions, UploadSource } from '../../core/http/rest-options.js';
import type { Client } from '../client-types.js';
import type {
  DownloadOptions,
  DownloadSource,
  DownloadState,
  JobOfSource,
} from '../../core/files/download-state.js';
import type { Job } from '../jobs/job-handle.js';
import type { JobState } from '../../core/state/job-state.js';
import type { LabelledSubmitOptions, RunOptions } from '../jobs/run.js';
import type { Outputs } from '../../core/state/outputs.js';
import type { Rest } from '../../core/http/rest.js';
import type { ServiceError } from '../../core/errors/errors.js';
import type { UploadedFile } from '../../core/protocol/file-ref.js';
import type { Workflow } from '../../core/protocol/workflow.js';
import type { ReaderTaskEither } from 'fp-ts/lib/ReaderTaskEither.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { toTaskEither } from '../../core/interop/to-task-either.js';

/**
 * A program that needs a client: run it as `program(client)()`, or with `withClient`.
 *
 * Nothing happens before it is run, each run does everything again, and it never rejects. Where the environment of your program
 * holds more than a client, take the client out of it: `RTE.local((env: Env) => env.client)`.
 */
export type ClientReader<A> = ReaderTaskEither<Client, ServiceError, A>;

/**
 * Submits a workflow and gives its job. **Each run is one submission, a job that costs money**; never pipe it through a retry.
 *
 * As `client.submit`: Left is the refusal, or `OutcomeUnknown` where the answer was lost.
 *
 * @example
 * ```ts
 * import type { Workflow } from 'promptwire';
 * import { outputs, submit } from 'promptwire/fp';
 * import { pipe } from 'fp-ts/lib/function.js';
 * import * as RTE from 'fp-ts/lib/ReaderTaskEither.js';
 *
 * const made = (workflow: Workflow) => pipe(workflow, submit(), RTE.flatMapTaskEither(outputs));
 * ```
 */
export const submit =
  (options?: LabelledSubmitOptions) =>
  (workflow: Workflow): ClientReader<Job> =>
  (client) =>
    client.submit(workflow, options);

/**
 * Submits a workflow, follows its job and gives the last state. **Each run is one submission, a job that costs money.**
 *
 * As `client.run`: a job that fails is a Right, whose `phase` says so; Left if the submission is refused or lost.
 */
export const run =
  (options?: RunOptions) =>
  (workflow: Workflow): ClientReader<JobState> =>
  (client) =>
    toTaskEither(client.run(workflow, options));

/**
 * Gives the handle of a job that exists already, by its id; submits nothing.
 *
 * As `client.job`, once for each run.
 */
export const job =
  (promptId: string): ClientReader<Job> =>
  (client) =>
    TE.fromIO(() => client.job(promptId));

/**
 * Waits for the end of a job and gives its outputs; submits nothing.
 *
 * Left `JobFailed`, `JobCancelled`, `NotFound` or `OutputsIncomplete`, as with `Job.outputs`. It needs no client: chain it by
 * `RTE.flatMapTaskEither` or `TE.flatMap`.
 */
export const outputs = (job: Job): TE.TaskEither<ServiceError, Outputs> => job.outputs;

/**
 * Asks for the end of one job, by its handle or its id.
 *
 * As `client.cancel`: Right says that the service took the request.
 *
 * @example
 * ```ts
 * import { cancel } from 'promptwire/fp';
 * import { pipe } from 'fp-ts/lib/function.js';
 *
 * const stop = (promptId: string) => pipe(promptId, cancel({ timeoutMs: 10_000 }));
 * ```
 */
export const cancel =
  (options?: CallOptions) =>
  (job: string | Pick<Job, 'promptId'>): ClientReader<void> =>
  (client) =>
    client.cancel(typeof job === 'string' ? job : job.promptId, options);

/**
 * Uploads a file for use in workflows and gives the name that the service has for it.
 *
 * As `client.rest.uploadImage`: a path where the platform has files, or bytes with a name.
 *
 * @example
 * ```ts
 * import type { Workflow } from 'promptwire';
 * import { setInput, submit, upload } from 'promptwire/fp';
 * import { pipe } from 'fp-ts/lib/function.js';
 * import * as RTE from 'fp-ts/lib/ReaderTaskEither.js';
 *
 * const paint = (path: string, workflow: Workflow) =>
 *   pipe(
 *     path,
 *     upload(),
 *     RTE.flatMapEither(({ name }) => pipe(workflow, setInput('10', 'image', name))),
 *     RTE.flatMap(submit()),
 *   );
 * ```
 */
export const upload =
  (options?: UploadOptions) =>
  (source: UploadSource): ClientReader<UploadedFile> =>
  (client) =>
    client.rest.uploadImage(source, options);

/**
 * Saves the files of a job's state, of outputs or of a list into a folder, and gives the last snapshot, with every path.
 *
 * As `client.download`: Left `DownloadFailed` or the like once the other files are saved.
 */
export const download =
  <Source extends DownloadSource>(dir: string, options?: DownloadOptions<JobOfSource<Source>>) =>
  (source: Source): ClientReader<DownloadState> =>
  (client) =>
    toTaskEither(client.download(source, dir, options));

/**
 * Makes a call of `client.rest`.
 *
 * @example
 * ```ts
 * import { rest } from 'promptwire/fp';
 * import { pipe } from 'fp-ts/lib/function.js';
 * import * as RTE from 'fp-ts/lib/ReaderTaskEither.js';
 *
 * const waiting = pipe(
 *   rest((calls) => calls.queue()),
 *   RTE.map(({ pending }) => pending.length),
 * );
 * ```
 */
export const rest =
  <A>(call: (rest: Rest) => TE.TaskEither<ServiceError, A>): ClientReader<A> =>
  (client) =>
    call(client.rest);

/// <reference lib="esnext.disposable" preserve="true" />
import type { Call } from '../core/interop/call.js';
import type { Rest } from '../core/http/rest.js';
import type { ClientStop } from '../core/http/client-stop.js';
import type { Connection } from './client-options.js';
import type {
  DownloadOptions,
  DownloadSource,
  DownloadState,
  JobOfSource,
} from '../core/files/download-state.js';
import type { ExistingJobOptions, FollowOptions } from './jobs/follow.js';
import type { Frame } from '../core/protocol/frames/frame.js';
import type { GeneratedState, GenerateSource } from '../generate/generate-types.js';
import type { GenerateOptions } from './generate-options.js';
import type { IndexedJobState, Workflows } from './jobs/run-all.js';
import type { Job } from './jobs/job-handle.js';
import type { JobCalls } from './job-calls.js';
import type { JobState } from '../core/state/job-state.js';
import type { LabelledSubmitOptions, RunAllOptions, RunOptions } from './jobs/run.js';
import type { Observable } from 'rxjs';
import type { PreflightOptions } from './preflight/preflight-options.js';
import type { PreflightReport } from '../workflow/preflight/report.js';
import type { RecentSubmission } from './jobs/recent-submissions.js';
import type { SubmissionIds } from '../core/lost/submission-ids.js';
import type { UiWorkflow } from '../workflow/convert/ui-workflow.js';
import type { Workflow } from '../core/protocol/workflow.js';

/**
 * One service and one connection to it; made by `createClient`.
 *
 * Nothing is opened before something is asked for. All streams and jobs of a client share one socket, which closes some seconds
 * after the last of them (`lingerMs`). `await using` closes the client at the end of the block: return what you await there, as
 * `return await toPromise(job.outputs)`.
 */
export interface Client extends AsyncDisposable, JobCalls {
  /**
   * Every frame of the socket, hot and multicast.
   *
   * Connects with the first subscriber, and survives reconnects; a message that can't be decoded is a `Malformed` frame. It
   * delivers what arrives while you are subscribed: the service replays nothing. Errors with a `ServiceError` once no attempt to
   * connect can succeed (`connection` is `failed` then), and completes with the client.
   *
   * @example
   * ```ts
   * import { previews, type Client } from 'promptwire';
   *
   * const watchPreviews = (client: Client, show: (image: Uint8Array) => void) =>
   *   client.frames.pipe(previews()).subscribe(({ image }) => show(image));
   * ```
   */
  readonly frames: Observable<Frame>;
  /**
   * The state of the socket: the current one for each new subscriber, then each change.
   *
   * Subscribing opens nothing. Never errors, and completes after `closed`.
   *
   * @example
   * ```ts
   * import type { Client } from 'promptwire';
   *
   * const showDelays = (client: Client) =>
   *   client.connection.subscribe((state) => {
   *     if (state._tag === 'waiting') console.log(`reconnecting in ${state.delayMs} ms: ${state.reason}`);
   *   });
   * ```
   */
  readonly connection: Connection;
  /**
   * Whether the service has refused this client, replayed to late subscribers; completes with the client.
   *
   * @example
   * ```ts
   * import type { Client } from 'promptwire';
   *
   * const banner = (client: Client) =>
   *   client.stops.subscribe((stop) => console.log(stop._tag === 'none' ? 'submissions go out' : stop.reason));
   * ```
   */
  readonly stops: Observable<ClientStop>;
  /**
   * Every endpoint of the interface as a `TaskEither`: nothing is sent before it is run, each run sends the request again, and it
   * never rejects.
   *
   * Calls need no socket.
   *
   * @example
   * ```ts
   * import { toPromise, type Client } from 'promptwire';
   *
   * const waiting = async (client: Client): Promise<number> =>
   *   (await toPromise(client.rest.queue())).pending.length;
   * ```
   */
  readonly rest: Rest;
  /**
   * Submissions whose job may run without a subscriber here, the latest last, at most 100: those whose subscriber left
   * before the answer, and those of unknown outcome.
   */
  readonly recent: readonly RecentSubmission[];
  /**
   * What the service makes of the `submissionId` of a submission: on a local server of July 2025 or later it becomes the id of the job
   * (`jobs`; `unproven` until an accepted answer has shown it), in API v2 the idempotency key (`keys`), and a cloud service has no place
   * for it (`none`).
   *
   * @example
   * ```ts
   * import type { Client, Workflow } from 'promptwire';
   *
   * const submitStored = (client: Client, workflow: Workflow, store: (submissionId: string) => void) => {
   *   const submissionId = crypto.randomUUID();
   *   store(submissionId); // after a crash, `client.job(submissionId)` finds the job where this is `jobs`
   *   return client.submit(workflow, { submissionId });
   * };
   * ```
   */
  readonly submissionIds: SubmissionIds;
  /**
   * Submits a workflow and gives the handle of its job. **Each run of the `TaskEither` is one submission, so running it twice
   * makes two jobs that both cost money.**
   *
   * Lazy: nothing is sent before it is run. A run listens on the socket first, then posts the workflow as it is at that moment.
   * Right is the job, which the client follows to its end, with and without subscribers. Left is the refusal (`BadRequest`,
   * `Unauthorized`, …), or `OutcomeUnknown` where the answer was lost: the client never sends a submission again that the
   * service may have accepted. A job that fails later is a state of the job and no Left.
   *
   * @example
   * ```ts
   * import { toPromise, type Client, type Workflow } from 'promptwire';
   *
   * const outputsOf = async (client: Client, workflow: Workflow) => {
   *   const job = await toPromise(client.submit(workflow)); // one submission
   *   return toPromise(job.outputs);
   * };
   * ```
   */
  readonly submit: (workflow: Workflow, options?: LabelledSubmitOptions) => Call<Job>;
  /**
   * Submits a workflow and follows its job. **Each subscription is one submission, so two subscribers make two jobs that both
   * cost money**: put `share()` between them, or use `submit`.
   *
   * Cold. On subscribe it emits a state with the phase `submitting`, then each newer state, and completes after the terminal
   * one: a job that fails or is cancelled is such a state and no error. Errors with a `ServiceError` where the submission is
   * refused, with `OutcomeUnknown` where its answer was lost, with `Aborted` when `signal` fires, and with `Closed` when the
   * client ends. Unsubscribing stops watching and leaves the job alone, unless `onUnsubscribe` is `cancel`; a request under way
   * is not aborted, and its answer is kept on `recent`. Don't pipe it through `retry`, which would submit again.
   *
   * @example
   * ```ts
   * import type { Client, Workflow } from 'promptwire';
   * import { Subject, switchMap } from 'rxjs';
   *
   * const latestOnly = (client: Client, requests: Subject<Workflow>) =>
   *   requests.pipe(switchMap((workflow) => client.run(workflow, { onUnsubscribe: 'cancel' })));
   * ```
   */
  readonly run: (workflow: Workflow, options?: RunOptions) => Observable<JobState>;
  /**
   * Runs a workflow as people have it, with values for its inputs, and gives the states of its job and its files. **Each subscription is
   * one submission, a job that costs money.**
   *
   * Cold. On subscribe it reads the workflow (API format, a file of the editor, or a picture that carries one; as a value, text, bytes or a
   * path), sets `inputs` by their names, uploads files among them, and then does what `run` does. The last state has `files` and
   * `outputsByTitle`, and comes once the files are saved where `into` is given: a job that fails or is cancelled is such a state. Errors
   * before anything is sent with `InvalidWorkflow`, `UnknownNode`, `AmbiguousNode`, `UnknownInput` or `InvalidInputs`, and in a page with
   * `InvalidConfig` for `into`; then as `run` and `download` do. Unsubscribing asks for the end of the job, unless `onUnsubscribe` is
   * `detach`. `promptwire/promises` has it as one promise.
   *
   * @example
   * ```ts
   * import type { Client, Workflow } from 'promptwire';
   *
   * const paint = (client: Client, workflow: Workflow, photo: Blob) =>
   *   client
   *     .generate(workflow, { inputs: { 'Positive.text': 'a lighthouse', 'Load Image.image': photo } })
   *     .subscribe(({ phase, progress, files }) => console.log(phase, progress, files?.map(({ title }) => title)));
   * ```
   */
  readonly generate: (workflow: GenerateSource, options?: GenerateOptions) => Observable<GeneratedState>;
  /**
   * Follows a job that exists already, by its id; submits nothing.
   *
   * Cold: each subscription asks the service at once and then follows the job by socket and polling. The first state is the one
   * that the service reports; a job that is over emits its last state. Completes after the terminal state. Errors with
   * `NotFound` where the service goes on for `notFoundAfterMs` to know no such job, with `Aborted` when `signal` fires, and with
   * `Closed` when the client ends. Unsubscribing stops watching, and the job goes on.
   *
   * @example
   * ```ts
   * import type { Client } from 'promptwire';
   * import { lastValueFrom } from 'rxjs';
   *
   * const endOf = (client: Client, promptId: string) => lastValueFrom(client.follow(promptId));
   * ```
   */
  readonly follow: (promptId: string, options?: FollowOptions) => Observable<JobState>;
  /**
   * Gives the handle of a job that exists already, by its id; submits nothing.
   *
   * The client follows the job from this call on, as `submit` does: to its end, with and without subscribers. States, errors and
   * unknown ids are as with `follow`. `frames` begins with this call; a local server sends none of a job that another program
   * submitted. `drain` does not wait for it.
   *
   * @example
   * ```ts
   * import { toPromise, type Client } from 'promptwire';
   *
   * const outputsOf = (client: Client, promptId: string) => toPromise(client.job(promptId).outputs);
   * ```
   */
  readonly job: (promptId: string, options?: ExistingJobOptions) => Job;
  /**
   * Submits many workflows, at most `concurrency` (or the tier's number) at once. **Each subscription submits all of them again,
   * and each submission is a job that costs money.**
   *
   * Cold. It takes a workflow only when there is a place for its job, so `workflows` may be endless. Emits the states of all jobs
   * interleaved, each with the index of its workflow, and completes after the last job. A refused submission is a `failed` state
   * of its index, and one of unknown outcome is `unknown`; the others go on. Errors only where the client ends (`Closed`), the
   * `signal` fires (`Aborted`) or `workflows` itself errors, once the jobs that run have ended. Unsubscribing stops watching all
   * jobs, as with `run`; to take no more workflows and wait for the jobs that run, use `drain`.
   *
   * @example
   * ```ts
   * import { isTerminal, type Client, type Workflow } from 'promptwire';
   * import { filter } from 'rxjs';
   *
   * const ends = (client: Client, workflows: Iterable<Workflow>) =>
   *   client.runAll(workflows, { tier: 'creator' }).pipe(filter(({ state }) => isTerminal(state.phase)));
   * ```
   */
  readonly runAll: (workflows: Workflows, options?: RunAllOptions) => Observable<IndexedJobState>;
  /**
   * Says whether a workflow can run on this service and what it takes, before it costs anything: missing classes and models, paid nodes,
   * files to upload, replaced classes, and what the plan allows.
   *
   * Lazy, and submits nothing. The workflow is in API format, or a file of the editor, which also names packs and where models are to be
   * had. It asks for the node classes (with the account's own models) and the features, and only where something is missing for
   * replacements of classes and for folders of models. What the service does not tell is `unknown` in the report: a service of API v2 alone
   * has no node classes, so its `verdict` is `unknown` unless `definitions` are given. Left if the node classes can't be had otherwise.
   * `preflightReport` of `promptwire/workflow` is the same without a service (docs/guide/validation.md; docs/protocol.md, chapter 2.14).
   *
   * @example
   * ```ts
   * import { toPromise, type Client, type Workflow } from 'promptwire';
   *
   * const isFree = async (client: Client, workflow: Workflow): Promise<boolean> => {
   *   const { verdict, paidNodes } = await toPromise(client.preflight(workflow));
   *   return verdict !== 'unknown' && paidNodes.length === 0;
   * };
   * ```
   */
  readonly preflight: (workflow: Workflow | UiWorkflow, options?: PreflightOptions) => Call<PreflightReport>;
  /**
   * Saves the files of a job's state, of outputs or of a list into a folder, which is made where it is missing.
   *
   * Cold: each subscription downloads anew, and emits snapshots, the last one with `done: true`. Files that fail do not stop
   * the others; then the stream errors with `DownloadFailed` or the like. Unsubscribing stops everything and removes what is
   * not whole. A page has no disk: there it errors with `InvalidConfig`.
   *
   * @example
   * ```ts
   * import type { Client, JobState } from 'promptwire';
   *
   * const save = (client: Client, state: JobState) =>
   *   client.download(state, 'pictures', {
   *     filter: ({ mediaType }) => mediaType.startsWith('image/'),
   *     name: ({ filename }, { promptId }, index) => `${promptId.slice(0, 8)}-${index}-${filename}`,
   *   });
   * ```
   */
  readonly download: <Source extends DownloadSource>(
    source: Source,
    dir: string,
    options?: DownloadOptions<JobOfSource<Source>>,
  ) => Observable<DownloadState>;
  /** Ends a billing or auth stop at once; nothing is submitted again. */
  readonly resume: () => void;
  /**
   * Changes the key for everything from now on, reopens the socket with it and ends every stop.
   *
   * Throws `InvalidConfig` for a key that no header can carry; its message never quotes the key.
   */
  readonly setKey: (apiKey: string) => void;
  /**
   * Refuses further submissions with `Draining`, and resolves once every earlier one is settled: it has its answer, and its
   * job is over or no longer followed. Everything else goes on working; call `close` afterwards.
   */
  readonly drain: () => Promise<void>;
  /**
   * Ends everything at once: socket, timers, requests. Streams that end with their job (`run`, `follow`, `runAll`, `Job.states`)
   * error with `Closed`, submissions that are under way with `OutcomeUnknown`; `frames`, `Job.frames`, `connection` and `stops`
   * complete.
   */
  readonly close: () => Promise<void>;
}

import type { Generated, GenerateInputs, GenerateSource } from '../../../generate/generate-types.js';
import type { WithOnState } from '../../../generate/promised-generate.js';
import type { Observable } from 'rxjs';
import type { QueueEvent } from '../follow/log-reader.js';
import type { QueueJobState } from '../follow/queue-state.js';
import type { Outputs } from '../../../core/state/outputs.js';
import type { Preview } from '../../../core/protocol/frames/frame.js';
import type { UploadedFile } from '../../../core/protocol/file-ref.js';
import type { Workflow } from '../../../core/protocol/workflow.js';
import type { QueueOptions } from '../options.js';
import type { QueueLog } from '../../joblog/queue-log.js';
import type { ListOptions, QueueChange, QueueJob, QueueJobPhase } from './queue-job.js';
import type { QueueStats } from './queue-stats.js';
import type { QueueServer } from '../servers/shown-servers.js';

/** Options of `JobQueue.add`. */
export interface AddOptions {
  /** The id of the job: a UUID of yours, by which a call that is repeated adds no second job. Default: a new one. */
  readonly id?: string | undefined;
  /** A key of the tenant's: a second job of it is not added, and `add` gives the id of the first one. */
  readonly key?: string | undefined;
  /** Whose job it is: tenants take turns. Default: the one tenant ''. */
  readonly tenant?: string | undefined;
  /** Higher ones go first within their tenant; default 0. */
  readonly priority?: number | undefined;
  /** The job waits so many milliseconds before its turn may come; default 0. */
  readonly delayMs?: number | undefined;
  /** Only a server that has all of these tags gets the job; `InvalidConfig` in the queue of an account. */
  readonly tags?: readonly string[] | undefined;
  /** Sent as `extra_data`; a credential is refused, since a queue keeps no key. */
  readonly extraData?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Leaves nothing of the job's results at the service: what is added is the `ephemeralWorkflow` of the workflow, whose pictures the queue keeps
   * with the job, and the worker deletes the record after the end. Default false. `NotSupported` where a node writes other files. The job
   * fails for the same reason, before anything is sent, where its worker has no sink to take the pictures, and at a server of API v2. A record
   * that could not be deleted is a warning of the worker.
   */
  readonly ephemeral?: boolean | undefined;
}

/** A job of `JobQueue.addAll`: its workflow, and what `add` takes besides. */
export interface NewQueueJob extends AddOptions {
  /** What it runs, in the API format. */
  readonly workflow: Workflow;
}

/** Options of `JobQueue.generate`. */
export interface QueueGenerateOptions extends AddOptions, GenerateInputs, WithOnState {}

/** A queue of jobs for one account of the service, from any process, as `createJobQueue` makes it. */
export interface JobQueue extends AsyncDisposable {
  /**
   * Adds a job, and gives the queue's id of it once it is durable.
   *
   * Rejects with `InvalidConfig` for a credential in `extraData`, for options that it can't keep, such as a priority that is no number, and for a
   * workflow deeper than 64 levels; with `TooLarge` for a workflow above `maxWorkflowBytes`, `NotFound` for a file of `upload` that the queue has not got any more,
   * `Draining` while the queue drains, and `Network` (`sent: false`) while the server takes no writes. Integers that may have been rounded before they came here are among the `problems` of its states.
   */
  readonly add: (workflow: Workflow, options?: AddOptions) => Promise<string>;
  /**
   * Adds many jobs in one step, all or none, and gives their ids in the order of the jobs once all are durable.
   *
   * Takes one round trip, however many they are: at most 10 000, and 512 MiB, compressed; what starts them follows, and `close` waits for it. Each job
   * is checked before anything is written. Rejects as `add` does, and adds none then; the message says which of the jobs it was. A key that was used,
   * or an id that the queue has, adds no second job and gives the id of the first one, so a call that was cut may be repeated with the same ids.
   *
   * @example
   * ```ts
   * import type { Workflow } from 'promptwire';
   * import { createJobQueue } from 'promptwire/queue';
   *
   * const addEach = async (workflows: readonly Workflow[]): Promise<readonly string[]> => {
   *   await using queue = createJobQueue({ connection: 'redis://127.0.0.1:6379', name: 'pictures' });
   *   return queue.addAll(workflows.map((workflow) => ({ workflow, tenant: 'ada' })));
   * };
   * ```
   */
  readonly addAll: (jobs: readonly NewQueueJob[]) => Promise<readonly string[]>;
  /**
   * Adds a job of a workflow as people have it, with values for its inputs, waits for its end, and gives its files, as `generate` of
   * `promptwire/promises` does.
   *
   * The workflow is in API format, a file of the editor, or a picture that carries one; as a value, text, bytes or a path. What files need, the
   * `client` of the queue does: without one, files among `inputs`, `into` and `bytes()` are `InvalidConfig`. Over servers the queue keeps
   * the files among `inputs`, as `upload` does, and its `pool` reads those of the job from the job's server. Rejects before anything is
   * added with `InvalidWorkflow`, `UnknownNode`, `AmbiguousNode`, `UnknownInput` or `InvalidInputs`; as `add` does; with `JobFailed` or the like
   * where the job does not complete; and with `Aborted` where `signal` fires, which asks for the end of the job.
   *
   * @example
   * ```ts
   * import type { Workflow } from 'promptwire';
   * import type { JobQueue } from 'promptwire/queue';
   *
   * const paint = async (queue: JobQueue, workflow: Workflow): Promise<readonly string[]> => {
   *   const { files } = await queue.generate(workflow, { inputs: { 'Positive.text': 'a lighthouse' }, into: 'outputs' });
   *   return files.map(({ path = '' }) => path);
   * };
   * ```
   */
  readonly generate: (workflow: GenerateSource, options?: QueueGenerateOptions) => Promise<Generated>;
  /**
   * Follows a job, on whichever machine it runs: every state of its log, from the first one, then each new one with its progress. Over
   * servers each state tells the `attempt`, and the `server` once one has the job.
   *
   * Cold. Completes after the terminal state; a job that fails is a state. Errors with `NotFound` for a job that the queue does not know.
   * While Redis is unreachable it waits. Unsubscribing leaves the job alone. With `after`, the id of an event, it goes on after that event; after the last one it is the last
   * state. The id may be of any event of the tenant, from `events`, `log` or the stream of a gateway over the queue; one that the log does not have is `NotFound`.
   */
  readonly follow: (
    id: string,
    options?: { readonly after?: string | undefined },
  ) => Observable<QueueJobState>;
  /**
   * The previews of a job while it runs, the newest ones: they are not kept, so a follower gets those from then on.
   *
   * Cold. Completes with the job; errors with `NotFound` for a job that the queue does not know.
   */
  readonly previews: (id: string) => Observable<Preview>;
  /**
   * Reads a picture of the job's `socketImages`, whose states have no `bytes` here: it is kept as long as the job. Undefined if the
   * queue has none of that place.
   */
  readonly socketImage: (
    id: string,
    place: { readonly nodeId: string; readonly index: number },
  ) => Promise<{ readonly mediaType: string; readonly bytes: Uint8Array } | undefined>;
  /**
   * The queue's log, which a gateway over the queue reads in place of a log of its own: one log for each tenant, from which the events of all of the tenant's jobs
   * have their ids. Its calls reject as those of the queue do; closing the queue ends it.
   *
   * @example
   * ```ts
   * import { createJobQueue } from 'promptwire/queue';
   *
   * await using queue = createJobQueue({ connection: 'redis://127.0.0.1:6379', name: 'pictures' });
   * console.log(await queue.log.read({ owner: 'ada' }, undefined, 100));
   * ```
   */
  readonly log: QueueLog;
  /** The lifecycle of a job as events with ids; `follow` is what they lead to. `after` is as for `follow`. */
  readonly events: (id: string, options?: { readonly after?: string | undefined }) => Observable<QueueEvent>;
  /**
   * Asks for the end of a job: one that waits is over at once, one that runs is cancelled by its worker, and its states say how it ended.
   * Gives the phase that the job was in before: a terminal one says that it was over, and that nothing was asked. Rejects with
   * `NotFound` for a job that the queue does not know.
   */
  readonly cancel: (id: string) => Promise<QueueJobPhase>;
  /** Gives the jobs of the queue, the newest first, page by page as they are asked for. */
  readonly list: (options?: ListOptions) => AsyncGenerator<QueueJob, void>;
  /**
   * Follows all jobs of the queue: each one that it has, the newest first, as `list` gives them; then how full the queue is (`stats`); then
   * each job anew whenever its phase, its holder or its progress changes, and `stats` at most once a second.
   *
   * Cold: each subscriber gets all jobs first, and what happened while Redis was unreachable once it is back. Of several quick changes of a
   * job the last one counts; a state that did not change is not given again. Completes when the queue is closed, never before; errors only
   * where the queue can't be opened, as every call does. Unsubscribing leaves the jobs alone. For the outputs and nodes of one job `follow`
   * it.
   *
   * @example
   * ```ts
   * import { createJobQueue, type QueueJob } from 'promptwire/queue';
   *
   * const queue = createJobQueue({ connection: 'redis://127.0.0.1:6379', name: 'pictures' });
   * const jobs = new Map<string, QueueJob>();
   * queue.changes().subscribe((change) => {
   *   if (change.type === 'job') jobs.set(change.job.id, change.job);
   *   else if (change.type === 'forgotten') jobs.delete(change.id);
   *   else console.log(`${change.stats.waiting} wait, ${change.stats.held} run`);
   * });
   * ```
   */
  readonly changes: () => Observable<QueueChange>;
  /** The latest state of a job, by its log and its progress. Rejects with `NotFound` for a job that the queue does not know. */
  readonly state: (id: string) => Promise<QueueJobState>;
  /** In a queue over servers, the server that has a job; undefined before one has. Rejects with `NotFound` for a job that the queue does not know. */
  readonly serverOf: (id: string) => Promise<string | undefined>;
  /** Reads the outputs of a job as far as its log has them. */
  readonly outputs: (id: string) => Promise<Outputs>;
  /**
   * Decides what became of a job that is `unknown`: it is this job of the service, it is to be submitted again (which may cost twice),
   * or it is over.
   */
  readonly resolve: (
    id: string,
    decision: { readonly promptId: string } | 'resubmit' | 'forget',
  ) => Promise<void>;
  /**
   * The servers of a queue over servers: all that a worker brings or has brought within the hour, now and after each change.
   *
   * Replayed to late subscribers while one is there, and read from Redis at most five times a second. Completes when the queue is closed; errors with
   * `NotSupported` in the queue of an account. While Redis is unreachable it waits.
   *
   * @example
   * ```ts
   * import { createJobQueue } from 'promptwire/queue';
   *
   * const queue = createJobQueue({ connection: 'redis://127.0.0.1:6379', name: 'engines', over: 'servers' });
   * queue.servers.subscribe((servers) => {
   *   for (const { name, health, running, slots } of servers) console.log(`${name} is ${health}: ${running} of ${slots}`);
   * });
   * ```
   */
  readonly servers: Observable<readonly QueueServer[]>;
  /**
   * Gives a server no further jobs, by any worker, until `resumeServer`; what runs goes on. Rejects with `InvalidConfig` for a name that the
   * queue does not know, and with `NotSupported` in the queue of an account.
   */
  readonly pauseServer: (name: string, reason?: string) => Promise<void>;
  /** Ends `pauseServer`, `drainServer`, and the pause of a server that has refused its account. Rejects as `pauseServer` does. */
  readonly resumeServer: (name: string) => Promise<void>;
  /** Gives a server no further jobs, and resolves once those that it has are over. Rejects as `pauseServer` does. */
  readonly drainServer: (name: string) => Promise<void>;
  /** What the jobs of the queue run on. */
  readonly over: () => Promise<'account' | 'servers'>;
  /**
   * Keeps an input file for jobs of a queue over servers, and gives what a workflow calls it: whichever server gets the job gets the file
   * first, once, also where another worker takes the job over.
   *
   * The queue keeps each file once by its hash, at most 256 MiB, while a job names it that has not ended, and for a day after; beyond 256 MiB of
   * all files together it forgets those that were not used for longest. Rejects with `TooLarge`, with `Network` (`sent: false`) while
   * the server takes no writes, and with `NotSupported` in the queue of an account, whose client uploads.
   *
   * @example
   * ```ts
   * import { fileInput } from 'promptwire';
   * import type { JobQueue } from 'promptwire/queue';
   * import { openAsBlob } from 'node:fs';
   *
   * const addPhoto = async (queue: JobQueue): Promise<string> => {
   *   const photo = await queue.upload({ content: await openAsBlob('photo.png'), filename: 'photo.png' });
   *   return queue.add({
   *     1: { class_type: 'LoadImage', inputs: { image: fileInput(photo) } },
   *     2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'photo' } },
   *   });
   * };
   * ```
   */
  readonly upload: (source: {
    readonly content: Blob | Uint8Array;
    readonly filename: string;
  }) => Promise<UploadedFile>;
  /** Reads such a file by its name. Rejects with `NotFound` for one that the queue has not got, and with `NotSupported` as `upload` does. */
  readonly viewUpload: (name: string) => Promise<Blob>;
  /** Lets no further job begin; what runs goes on. */
  readonly pause: (reason?: string) => Promise<void>;
  /** Goes on after `pause`, after a refusal of the account, and after `drain`. */
  readonly resume: () => Promise<void>;
  /** Takes no more jobs, and resolves once none waits and none runs. */
  readonly drain: () => Promise<void>;
  /** Ends all jobs that wait and that the service has not; gives how many. */
  readonly clear: () => Promise<number>;
  /** Says how full the queue is. */
  readonly stats: () => Promise<QueueStats>;
  /** How many jobs of this tenant run for one of a tenant with the weight 1. */
  readonly setWeight: (tenant: string, weight: number) => Promise<void>;
  /** Changes how many jobs the account runs at once; rejects with `InvalidConfig` in a queue over servers, which have slots of their own. */
  readonly setTier: (tier: NonNullable<QueueOptions['tier']>) => Promise<void>;
  /** Closes the connections; jobs and workers go on. */
  readonly close: () => Promise<void>;
}

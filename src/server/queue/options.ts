import type { ImagePlace, JobImage } from '../joblog/job-images.js';
import type { Client } from '../../client/client-types.js';
import type { ClientTier } from '../../client/jobs/run.js';
import type { Logger } from '../../core/log/logger.js';
import type { JobState } from '../../core/state/job-state.js';
import type { ServiceError } from '../../core/errors/errors.js';
import type { Observable } from 'rxjs';
import type { Placement } from '../../client/pool/placement.js';
import type { PoolServer } from '../../core/state/pool-server.js';
import type { ServerRules, SubmissionRules } from './policy/rules.js';

/**
 * Where the queue is: the address of a Redis server (`redis://host:6379`), options of ioredis, or an instance of a client.
 *
 * An instance is one of ioredis 5 or 6, or one that `createClient` of the package redis 6 made. The queue duplicates it, so it stays the
 * caller's, with its own settings, and is not closed with the queue. Options and instances of ioredis may name Sentinels. `InvalidConfig` for
 * a cluster, and for a `keyPrefix`.
 */
export type QueueConnection = string | RedisServerOptions | RedisInstance;

/** Options of ioredis, for a server or for Sentinels. */
export interface RedisServerOptions {
  /** Default `localhost`. */
  readonly host?: string | undefined;
  /** Default 6379. */
  readonly port?: number | undefined;
  /** The user of Redis; default its `default` user. */
  readonly username?: string | undefined;
  /** The password of that user. */
  readonly password?: string | undefined;
  /** The number of the database; default 0. */
  readonly db?: number | undefined;
  /** The Sentinels that know the server by `name`, in place of `host` and `port`. */
  readonly sentinels?: readonly { readonly host?: string; readonly port?: number }[] | undefined;
  /** The name of the server at its Sentinels. */
  readonly name?: string | undefined;
  /** Every other option of ioredis. */
  readonly [option: string]: unknown;
}

/** An instance of a client of Redis, by what each of them has. */
export interface RedisInstance {
  /** Makes another connection with the same options. */
  duplicate(...overrides: never[]): unknown;
  /** Listens to an event of the connection. */
  on(event: never, listener: never): unknown;
  /** Opens the connection. */
  connect(...args: never[]): unknown;
}

/** What every part of a queue takes. */
export interface QueueOptions {
  /** Where the queue is. Each part opens connections of its own, which end with it. */
  readonly connection: QueueConnection;
  /** The name of the queue: one account of the service, or one set of servers, one queue. */
  readonly name: string;
  /**
   * `InvalidConfig` in a queue over servers, whose slots are those of its servers. How many jobs the account runs at once, by its tier or as a number; workers of all machines together run no more. The last part
   * that names one counts. Default: what the queue has, or else 1.
   */
  readonly tier?: ClientTier | number | undefined;
  /**
   * How many bytes a workflow may have, compressed, to be added; default 32 MiB. Redis keeps it in memory until the job is forgotten, and
   * takes no more than 512 MiB.
   */
  readonly maxWorkflowBytes?: number | undefined;
  /**
   * How long the server may take to answer for the first time, in milliseconds; then calls reject with `Network`. Default: they wait.
   */
  readonly connectWithinMs?: number | undefined;
  /**
   * Called with each setting of the server that makes a promise of the queue weaker, and by a worker with what exceeds a bound of its own;
   * default: `logger`, else `process.emitWarning`.
   */
  readonly onWarning?: ((message: string) => void) | undefined;
  /**
   * Gets the steps of jobs (info), jobs that are unknown and warnings (warn), a paused queue (error) and, of a worker, how full the queue is
   * (debug); `console` is a logger. Default: nothing is logged.
   */
  readonly logger?: Logger | undefined;
}

/** Options of `createJobQueue`. */
export interface JobQueueOptions extends QueueOptions {
  /**
   * What the jobs run on: the `account` of a service, or the `servers` that its workers bring (`pool` of `createWorker`). Kept with the queue by the
   * first part that says `servers`, after which parts without it go by that; another one is `InvalidConfig`. Default: what the queue has,
   * or else `account`.
   */
  readonly over?: 'account' | 'servers' | undefined;
  /**
   * Uploads and reads files for `generate`, and gives it the node classes; it stays the caller's. Default: `generate` reads and uploads no
   * files.
   */
  readonly client?: Client | undefined;
  /**
   * Over servers, what `generate` reads files by, each from the server of its job, and asks for node classes; it stays the caller's. Uploads go to
   * the queue itself. `InvalidConfig` beside `client`, and with `over: 'account'`.
   */
  readonly pool?: WorkerPool | undefined;
}

/** What a queue keeps of jobs that are over. */
export interface QueueRetention {
  /** The most jobs; default 10 000. */
  readonly count?: number | undefined;
  /** How long jobs are kept after their end, in milliseconds; default seven days. */
  readonly ageMs?: number | undefined;
  /** The most bytes of their workflows, compressed, and of their logs; default 256 MiB. */
  readonly bytes?: number | undefined;
}

/** A place for the files of jobs. */
export interface JobSink {
  /**
   * Takes the files of a job that completed. It may be called again for the same job, on another machine, where the first call did not
   * come to its end; a rejection is tried again, at growing intervals.
   */
  readonly deliver: (job: DeliveredJob, context: DeliveryContext) => Promise<void>;
}

/** A job whose files are delivered. */
export interface DeliveredJob {
  /** The queue's id of the job. */
  readonly id: string;
  /** Whose job it is. */
  readonly tenant: string;
  /** Its last state, with its outputs. */
  readonly state: JobState;
}

/** What a sink may use to fetch the files. */
export interface DeliveryContext {
  /** The worker's client: over servers, that of the job's server. */
  readonly client: Client;
  /**
   * Reads a picture of the job's `socketImages`, which stand in no file of the service and whose states have no `bytes` here. Undefined
   * where the queue has none of that place.
   */
  readonly socketImage: (place: ImagePlace) => Promise<JobImage | undefined>;
  /** Fires when the worker stops: the delivery is tried again by another one. */
  readonly signal: AbortSignal;
}

/** A server that a worker brings, as its pool tells of it. */
export type WorkerPoolServer = Pick<
  PoolServer,
  'name' | 'baseUrl' | 'tags' | 'health' | 'since' | 'reason' | 'mode' | 'slots' | 'memory'
>;

/** The members of a pool that a worker calls; `createPool` of `promptwire/pool` makes one. */
export interface WorkerPool {
  /** Its servers now, and after each change. */
  readonly servers: Observable<readonly WorkerPoolServer[]>;
  /** The client of a server. */
  readonly client: (name: string) => Client;
}

/** Options of `createWorker`: a `client` or a `pool`. */
export interface QueueWorkerOptions extends QueueOptions {
  /** Makes all calls to the service of an account; it stays the caller's. */
  readonly client?: Client | undefined;
  /**
   * The servers that this worker brings to a queue over servers; it stays the caller's. Other workers may bring the same ones: a server is known
   * by its name in the pool, so give it one where two workers reach it by two addresses. The machine's name stands for a loopback address.
   */
  readonly pool?: WorkerPool | undefined;
  /** Chooses the server of each job of a queue over servers; give all of its workers the same one. Default `earliestEnd`. */
  readonly placement?: Placement | undefined;
  /** Where the files of jobs go; default nowhere: their references stay in the job's state. */
  readonly sink?: JobSink | undefined;
  /** Sent to the partner nodes, as `SubmitOptions.partnerKey`: the queue keeps no key. */
  readonly partnerKey?: true | string | undefined;
  /** How many jobs this worker runs at once; default as many as the queue, or its servers, allow. */
  readonly concurrency?: number | undefined;
  /**
   * Whether the jobs that other programs run on the same account use slots of this queue: the worker reads the account's queue every five
   * seconds, and as many fewer jobs of this one run at once. What runs goes on. A service that lists no queue shows none. Default false.
   */
  readonly countExternalJobs?: boolean | undefined;
  /**
   * The former name of `countExternalJobs`.
   *
   * @deprecated for one minor version
   */
  readonly countForeignJobs?: boolean | undefined;
  /** How long a worker may be silent before another one takes its jobs, in milliseconds; default 4 000. */
  readonly lockMs?: number | undefined;
  /**
   * How many bytes a preview may have to reach those who follow the job through the queue; default 8 MiB. The first one of a job that is
   * larger goes to `onWarning` as a warning.
   */
  readonly maxPreviewBytes?: number | undefined;
  /**
   * How many bytes the log of a job may have, as JSON; default 8 MiB. Outputs that go beyond are left out, which `warnings` of the job's
   * state say; its end never is.
   */
  readonly maxLogBytes?: number | undefined;
  /** The times and choices by which a worker finds out what became of a submission; over servers also when a job is submitted once more. */
  readonly rules?: (Partial<SubmissionRules> & ServerRules) | undefined;
  /** What the queue keeps of jobs that are over. */
  readonly retention?: QueueRetention | undefined;
  /** Called where the worker pauses the queue, or the server of a job, since the service takes no job of this account. */
  readonly onPause?: ((error: ServiceError) => void) | undefined;
}

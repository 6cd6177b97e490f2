import type { HeldJob, SubmissionStore } from '../policy/submission-ports.js';
import type { JobProgress, LifecycleEvent } from '../../../core/events/job-log-event.js';
import type { Intent } from '../policy/intent.js';
import type { TerminalPhase } from '../../../core/state/job-state.js';
import type { Workflow } from '../../../core/protocol/workflow.js';

/** Where a job of the queue is: `delayed`, `waiting`, held by a worker, over, or given up to a person. */
export type QueuePhase = 'delayed' | 'waiting' | 'held' | 'ended' | 'unknown';

/** A job as the store keeps it, without its workflow. */
export interface QueueRecord {
  readonly id: string;
  readonly tenant: string;
  /** Higher ones go first within their tenant. */
  readonly priority: number;
  readonly key?: string;
  readonly phase: QueuePhase;
  /** By the store's clock, in milliseconds since 1970. */
  readonly createdAt: number;
  readonly endedAt?: number;
  /** Why it is over, or unknown. */
  readonly reason?: string;
  /** How it ended. */
  readonly outcome?: TerminalPhase;
  readonly cancelRequestedAt?: number;
  readonly worker?: string;
  readonly intent?: Intent;
  readonly promptId?: string;
  /** Over servers: the one that has it, from its intent on. */
  readonly server?: string;
  /** Over servers: how often a server lost it. */
  readonly reruns?: number;
  /** Over servers: what it asks of one, as JSON. */
  readonly work?: string;
  /** The latest progress that its holder published. */
  readonly progress?: JobProgress;
  /** True if what became of its submission can't be read. */
  readonly unreadable?: true;
  /** True if a later version wrote it in a format that this one does not know. */
  readonly later?: true;
}

/** A job to add. */
export interface NewJob {
  readonly id: string;
  readonly workflow: Workflow;
  /** Sent as `extra_data`; holds no credential. */
  readonly extraData?: Readonly<Record<string, unknown>> | undefined;
  /** Whether nothing of it may stay at the service: its record is deleted after its end. */
  readonly ephemeral?: boolean | undefined;
  readonly tenant?: string | undefined;
  readonly priority?: number | undefined;
  /** A key of the tenant's: a second job of it is not added. */
  readonly key?: string | undefined;
  /** Over servers: what it asks of one, as JSON. */
  readonly work?: string | undefined;
  /** Over servers: the hashes of the files of the queue that it names. */
  readonly files?: readonly string[] | undefined;
  /** After so many milliseconds it begins to wait. */
  readonly delayMs?: number | undefined;
  /** The first events of its log. */
  readonly events?: readonly LifecycleEvent[] | undefined;
}

/** The lock of a worker on a slot token. */
export interface TokenLock {
  /** Where the server keeps it. */
  readonly key: string;
  /** What it is while it is this worker's. */
  readonly token: string;
}

/** What a worker sends. */
export type StoredWorkflow = Pick<NewJob, 'workflow' | 'extraData' | 'ephemeral'>;

/** The jobs of a queue. Each call is one atomic step, durable once it resolves, and harmless where it is repeated. */
export interface JobStore extends SubmissionStore {
  /** Gives the id of the job: of the earlier one, where its key was used; undefined if the queue drains. */
  readonly add: (job: NewJob) => Promise<string | undefined>;
  /** Adds all of these jobs or none, and gives their ids in the same way. */
  readonly addAll: (jobs: readonly NewJob[]) => Promise<readonly string[] | undefined>;
  /**
   * Gives a slot token its job: that of the worker before, or the next one; undefined if none waits, the lock is not the worker's, or as many
   * jobs are held as the account has slots. `slots` is how many these are where the server has lost that.
   */
  readonly take: (
    token: string,
    worker: string,
    lock?: TokenLock,
    slots?: number,
  ) => Promise<(HeldJob & { readonly job: QueueRecord }) | undefined>;
  /** Ends the hold on a job; false if the worker does not hold it any more. */
  readonly leave: (
    job: Pick<HeldJob, 'id' | 'fence'>,
    phase: 'waiting' | 'ended' | 'unknown',
    reason?: string,
    outcome?: TerminalPhase,
  ) => Promise<boolean>;
  /** Ends a job that waits, and marks one that its worker has to cancel; gives its phase before. */
  readonly cancel: (id: string) => Promise<QueuePhase | undefined>;
  readonly get: (id: string) => Promise<QueueRecord | undefined>;
  readonly workflow: (id: string) => Promise<StoredWorkflow | 'unreadable' | undefined>;
  /** Keeps what can't be read of a job beside the jobs; true for the first call of all processes. */
  readonly setAside: (id: string, part: 'intent' | 'workflow') => Promise<boolean>;
  /** How many jobs of a tenant run for one of a tenant with the weight 1. */
  readonly setWeight: (tenant: string, weight: number) => Promise<void>;
  /** Those of these jobs of the service that belong to no other job of the queue. */
  readonly unclaimed: (id: string, promptIds: readonly string[]) => Promise<readonly string[]>;
}

import type { JobProgress } from '../../../core/events/job-log-event.js';
import type { QueueStats } from './queue-stats.js';
import type { TerminalPhase } from '../../../core/state/job-state.js';

/**
 * Where a job of a queue is: it waits for its time or for a slot, a worker has it (`running`), or it is over, in one of the terminal
 * phases of a job.
 */
export type QueueJobPhase = 'delayed' | 'waiting' | 'running' | TerminalPhase;

/** A job as `list` gives it. */
export interface QueueJob {
  /** The queue's id of the job. */
  readonly id: string;
  /** Whose job it is. */
  readonly tenant: string;
  /** Where it is; `unknown` waits for a person. */
  readonly phase: QueueJobPhase;
  /** Higher ones go first within their tenant. */
  readonly priority: number;
  /** The key that it was added with. */
  readonly key?: string | undefined;
  /** When it was added, by the clock of the store, in milliseconds since 1970. */
  readonly createdAt: number;
  /** When it was over, likewise. */
  readonly endedAt?: number | undefined;
  /** How it ended, or why it is unknown. */
  readonly reason?: string | undefined;
  /** The worker that holds it. */
  readonly worker?: string | undefined;
  /** The service's id of the job, once it is known. */
  readonly promptId?: string | undefined;
  /** How far it is, while it runs. */
  readonly progress?: JobProgress | undefined;
  /** In a queue over servers, the server that has it, from the intent of its submission on. */
  readonly server?: string;
  /** In a queue over servers, which submission of it this is where a server has lost it: from 2. */
  readonly attempt?: number;
}

/** Which jobs `list` gives. */
export interface ListOptions {
  /** Of this tenant; default of all. */
  readonly tenant?: string | undefined;
  /** In this phase; default in any. */
  readonly phase?: QueueJobPhase | undefined;
}

/** What `JobQueue.changes` gives. */
export type QueueChange =
  /** A job as it is now: one that the queue has, one that is new, or one with another phase, holder or progress. */
  | { readonly type: 'job'; readonly job: QueueJob }
  /** The queue has this job no more: it ended, and made room, or its server has lost it. */
  | { readonly type: 'forgotten'; readonly id: string }
  /** How full the queue is now. */
  | { readonly type: 'stats'; readonly stats: QueueStats };

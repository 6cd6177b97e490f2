import type { LifecycleEvent } from '../../core/events/job-log-event.js';
import type { Observable } from 'rxjs';

/** An event with its place in the log of its job's owner. */
export interface LoggedEvent {
  /** Its position, opaque: only the log that gave it knows what it means. Holds no `~`. */
  readonly id: string;
  /** The job that it is of. */
  readonly jobId: string;
  /** The event itself. */
  readonly event: LifecycleEvent;
}

/** Whose events to read: all of an owner, or those of one of the owner's jobs. */
export interface LogScope {
  /** The name of the owner. */
  readonly owner: string;
  /** The job; absent for all of the owner. */
  readonly jobId?: string | undefined;
}

/** A piece of a log. */
export interface LogPage {
  /** In the order of their positions; fewer than asked for only at the end of the log. */
  readonly events: readonly LoggedEvent[];
  /** True if something after the position that was asked for is gone, or this log never had that position. */
  readonly gap: boolean;
  /**
   * If the job was read from its beginning and its first events have made room for others: one event with the state that they led to, at
   * the position of the last of them. The remaining events follow after that position.
   */
  readonly rest?: LoggedEvent;
}

/** Keeps the lifecycle events of jobs: one log for each owner, whose positions grow. */
export interface EventLog {
  /** Adds events of one job at the end, all or none, and gives their ids once they are durable. */
  readonly append: (
    owner: string,
    jobId: string,
    events: readonly LifecycleEvent[],
  ) => Promise<readonly string[]>;
  /**
   * Reads at most `limit` events after a position, by default from the first that is kept. Another owner's position, a forged one and
   * one of a log that was lost are a gap, never an error; a page with a gap holds no events.
   */
  readonly read: (scope: LogScope, after: string | undefined, limit: number) => Promise<LogPage>;
  /** The position of the owner's last event: reading after it gives what comes from now on. */
  readonly position: (owner: string) => Promise<string>;
  /** Forgets the events of a job; a position before them becomes a gap for readers of that job and of its owner. */
  readonly expire: (owner: string, jobId: string) => Promise<void>;
  /** Emits an owner whose log another process has appended to; absent if one process has the log alone. */
  readonly changes?: Observable<string>;
  /** Releases what the log holds open. */
  readonly close?: () => Promise<void>;
}

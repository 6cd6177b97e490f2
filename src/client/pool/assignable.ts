import type { Placement } from './placement.js';
import type { WaitingJob } from './waiting-jobs.js';
import type { Work } from './work.js';

/** What the assignment of jobs knows of one server. */
export interface AssignableServer {
  readonly name: string;
  /** How many jobs it takes now. */
  readonly room: number;
  /** How many jobs it runs at once. */
  readonly slots: number;
  /** How long each of its slots needs for the jobs that it holds, in milliseconds. */
  readonly workMs: number;
  /** The models of the last job that it holds, or else of the last that it ran. */
  readonly models: readonly string[];
}

/** A waiting job, as far as its place depends on it. */
export type AssignableJob = Pick<WaitingJob, 'number' | 'work' | 'tags' | 'since' | 'attempt'>;

/** Jobs that the same servers can run, in the order of their numbers. */
export interface AssignableGroup<Job extends AssignableJob> {
  /** One of them, which stands for all: they ask the same of a server. */
  readonly sample: Job;
  readonly jobs: ReadonlySet<Job>;
}

/** What the assignment of jobs asks of the pool. */
export interface Assignment<Job extends AssignableJob> {
  readonly placement: Placement;
  readonly now: number;
  /** The servers that can run a job, whether they have room or not; empty while that is not known. */
  readonly ableFor: (job: Job) => ReadonlySet<string>;
  /** Those of these servers that a job of its shape may go to now. */
  readonly preferredFor: (job: Job, able: ReadonlySet<string>) => ReadonlySet<string>;
  readonly runMs: (server: string, work: Work) => number;
  readonly loadMs: (server: string, work: Work, loaded: readonly string[]) => number;
  /** Gets what the placement threw for a job, which no server gets then. */
  readonly threw: (job: Job, cause: unknown) => void;
}

/** A group of which some server with room can run the jobs. */
export interface OpenGroup<Job extends AssignableJob> extends AssignableGroup<Job> {
  readonly able: ReadonlySet<string>;
}

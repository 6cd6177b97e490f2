import type { ServiceError } from '../../core/errors/errors.js';
import type { PooledServer } from './pool-server.js';
import type { Work } from './work.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** A job that waits in the pool. */
export interface WaitingJob {
  /** Grows with each job of the pool; a job that comes back keeps its number, and so its place. */
  readonly number: number;
  readonly workflow: Workflow;
  readonly work: Work;
  readonly tags: readonly string[];
  /** Servers that must not get it again, and why. */
  readonly excluded: ReadonlyMap<string, ServiceError>;
  /** When it began to wait, by the clock of the pool. */
  readonly since: number;
  readonly attempt: number;
  /** Gives it to a server. */
  readonly give: (server: PooledServer) => void;
  /** Says what it waits for; undefined for its turn. */
  readonly tell: (reason: string | undefined) => void;
  /** Says that no server takes it at once. */
  readonly stay: () => void;
  /** Ends its waiting with an error. */
  readonly refuse: (error: unknown) => void;
}

/** Jobs that the same servers can run, in the order of their numbers. */
export interface WaitingGroup {
  /** One of them, which stands for all: they ask the same of a server. */
  readonly sample: WaitingJob;
  readonly jobs: ReadonlySet<WaitingJob>;
  /** Tells all of them what they wait for, where they were not told that already. */
  readonly tell: (reason: string | undefined) => void;
  /** Tells those that came since the last time that no server takes them at once. */
  readonly stay: () => void;
}

/** The jobs that wait in a pool, grouped by what they ask of a server. */
export interface WaitingJobs {
  readonly add: (job: WaitingJob) => void;
  readonly remove: (job: WaitingJob) => void;
  readonly groups: () => readonly WaitingGroup[];
  readonly size: () => number;
}

/** Keeps no jobs at first. */
export const waitingJobs = (): WaitingJobs => {
  const groups = new Map<string, Group>();
  return {
    add: (job) => {
      const key = keyOf(job);
      const group = groups.get(key) ?? { jobs: new Set(), fresh: new Set(), newest: -1, reason: undefined };
      group.fresh.add(job);
      // A job that comes back stands before those that came later.
      groups.set(
        key,
        job.number > group.newest
          ? { ...group, jobs: group.jobs.add(job), newest: job.number }
          : { ...group, jobs: inOrder([...group.jobs, job]) },
      );
      if (group.reason !== undefined) job.tell(group.reason);
    },
    remove: (job) => {
      const group = groups.get(keyOf(job));
      group?.jobs.delete(job);
      group?.fresh.delete(job);
      if (group?.jobs.size === 0) groups.delete(keyOf(job));
    },
    groups: () =>
      [...groups].flatMap(([key, group]) => {
        const [sample] = group.jobs;
        if (sample === undefined) return [];
        const tell = (reason: string | undefined): void => {
          if (reason === group.reason) return;
          groups.set(key, { ...group, reason });
          for (const job of [...group.jobs]) job.tell(reason);
        };
        const stay = (): void => {
          const fresh = [...group.fresh];
          group.fresh.clear();
          for (const job of fresh) job.stay();
        };
        return [{ sample, jobs: group.jobs, tell, stay }];
      }),
    size: () => [...groups.values()].reduce((all, { jobs }) => all + jobs.size, 0),
  };
};

interface Group {
  readonly jobs: Set<WaitingJob>;
  /** The jobs that were not told yet whether they have to wait. */
  readonly fresh: Set<WaitingJob>;
  /** The highest number that it ever had. */
  readonly newest: number;
  /** What its jobs wait for, if not for their turn. */
  readonly reason: string | undefined;
}

const keyOf = ({ work, tags, excluded }: WaitingJob): string =>
  JSON.stringify([work.needs, tags.toSorted(), [...excluded.keys()].toSorted()]);

const inOrder = (jobs: readonly WaitingJob[]): Set<WaitingJob> =>
  new Set(jobs.toSorted((one, other) => one.number - other.number));

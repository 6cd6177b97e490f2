import { isTerminal } from '../../state/job-state.js';
import type { LifecycleEvent } from '../../events/job-event.js';
import type { LoggedEvent, LogPage, LogScope } from './event-log.js';
import { writeExactJson } from '../../protocol/json/exact-json.js';

/** How much a log keeps. */
export interface EventLogLimits {
  /** Events of all owners; default 100 000. */
  readonly maxEvents?: number | undefined;
  /** Characters of all events as JSON; default 64 Mi. */
  readonly maxSize?: number | undefined;
}

/** An event and its place. */
export interface EventEntry extends LoggedEvent {
  readonly owner: string;
  /** Its number in the owner's log, from 1. */
  readonly number: number;
}

/** The logs of all owners in memory: what each log keeps, durable or not. */
export interface EventTable {
  readonly append: (owner: string, jobId: string, events: readonly LifecycleEvent[]) => readonly EventEntry[];
  /** Takes back entries that could not be made durable; their numbers are not given again. */
  readonly retract: (entries: readonly EventEntry[]) => void;
  readonly read: (scope: LogScope, after: string | undefined, limit: number) => LogPage;
  readonly position: (owner: string) => string;
  readonly expire: (owner: string, jobId: string) => void;
  /** Every entry that is kept, in order for each job. */
  readonly entries: () => Iterable<EventEntry>;
  /** How many lines it takes at most to write everything. */
  readonly size: () => number;
  /** The owners, and where their logs are. */
  readonly heads: () => Iterable<LogHead>;
  /** The jobs that made room for others and are not forgotten. */
  readonly losses: () => Iterable<JobLoss>;
  /** Continues a log that was kept elsewhere. */
  readonly restoreHead: (head: LogHead) => void;
  readonly restoreLoss: (loss: JobLoss) => void;
  readonly restore: (entry: EventEntry) => void;
}

/** Where the log of an owner is. */
export interface LogHead {
  readonly owner: string;
  /** Names this log: positions of another one are none of this one. */
  readonly epoch: string;
  /** The number of the last event. */
  readonly last: number;
  /** The highest number of an event that is gone. */
  readonly lostTo: number;
}

/** What is gone of the events of a job that goes on. */
export interface JobLoss {
  readonly owner: string;
  readonly jobId: string;
  /** The highest number of an event that is gone. */
  readonly lostTo: number;
}

interface OwnerLog {
  epoch: string;
  last: number;
  lostTo: number;
  entries: EventEntry[];
  gone: number;
}

interface JobLog {
  readonly owner: string;
  readonly jobId: string;
  entries: EventEntry[];
  size: number;
  lostTo: number;
  hasEnded: boolean;
}

/**
 * Makes an empty table of events.
 *
 * At its bounds the events of jobs that have ended go first, of the oldest job before the others; then those of the oldest job that
 * goes on. What is gone is a gap for readers who have not read it.
 *
 * @param newEpoch - Makes a name that no other log has.
 */
export const eventTable = (
  newEpoch: () => string,
  { maxEvents = 100_000, maxSize = 64 * 1024 * 1024 }: EventLogLimits = {},
): EventTable => {
  const owners = new Map<string, OwnerLog>();
  const jobs = new Map<string, JobLog>();
  let count = 0;
  let size = 0;

  const logOf = (owner: string): OwnerLog => {
    let log = owners.get(owner);
    if (log === undefined) {
      log = { epoch: newEpoch(), last: 0, lostTo: 0, entries: [], gone: 0 };
      owners.set(owner, log);
    }
    return log;
  };
  const jobOf = (owner: string, jobId: string): JobLog => {
    const name = jobName(owner, jobId);
    let job = jobs.get(name);
    if (job === undefined) {
      job = { owner, jobId, entries: [], size: 0, lostTo: 0, hasEnded: false };
      jobs.set(name, job);
    }
    return job;
  };
  const clear = (job: JobLog): void => {
    const log = logOf(job.owner);
    const last = job.entries.at(-1)?.number ?? 0;
    log.lostTo = Math.max(log.lostTo, last);
    job.lostTo = Math.max(job.lostTo, last);
    log.gone += job.entries.length;
    count -= job.entries.length;
    size -= job.size;
    job.entries = [];
    job.size = 0;
    if (log.gone * 2 <= log.entries.length) return;
    const kept = new Set<EventEntry>();
    for (const other of jobs.values())
      if (other.owner === job.owner) for (const entry of other.entries) kept.add(entry);
    log.entries = log.entries.filter((entry) => kept.has(entry));
    log.gone = 0;
  };
  const makeRoom = (): void => {
    for (const ended of [true, false]) {
      for (const job of jobs.values()) {
        if (count <= maxEvents && size <= maxSize) return;
        // What is gone of a job stays known until the job itself is forgotten: it is a gap.
        if (job.hasEnded === ended && job.entries.length > 0) clear(job);
      }
    }
  };
  const put = (entry: EventEntry): void => {
    const log = logOf(entry.owner);
    const job = jobOf(entry.owner, entry.jobId);
    const own = writeExactJson(entry.event).length;
    log.entries.push(entry);
    log.last = entry.number;
    job.entries.push(entry);
    job.size += own;
    job.hasEnded ||= isEnd(entry.event);
    count += 1;
    size += own;
  };

  return {
    append: (owner, jobId, events) => {
      const log = logOf(owner);
      const entries = events.map((event, index) => {
        const number = log.last + 1 + index;
        return { owner, jobId, event, number, id: `${log.epoch}-${number}` };
      });
      entries.forEach(put);
      makeRoom();
      return entries;
    },
    retract: (entries) => {
      for (const entry of entries) {
        const job = jobs.get(jobName(entry.owner, entry.jobId));
        // It may have made room for others.
        if (job?.entries.includes(entry) !== true) continue;
        const log = logOf(entry.owner);
        const own = writeExactJson(entry.event).length;
        log.entries = log.entries.filter((other) => other !== entry);
        job.entries = job.entries.filter((other) => other !== entry);
        job.size -= own;
        if (isEnd(entry.event)) job.hasEnded = false;
        count -= 1;
        size -= own;
      }
    },
    read: ({ owner, jobId }, after, limit) => {
      const log = owners.get(owner);
      const gap = { events: [], gap: true };
      const job = jobId === undefined ? undefined : jobs.get(jobName(owner, jobId));
      if (log === undefined) return { events: [], gap: after !== undefined || jobId !== undefined };
      if (jobId !== undefined && job === undefined) return gap;
      const number = after === undefined ? 0 : numberOf(log, after);
      if (number === undefined) return gap;
      if (job !== undefined) {
        return number < job.lostTo ? gap : { events: from(job.entries, number, limit), gap: false };
      }
      const isCut =
        after === undefined
          ? [...jobs.values()].some((one) => one.owner === owner && one.lostTo > 0)
          : number < log.lostTo;
      if (isCut) return gap;
      if (log.gone === 0) return { events: from(log.entries, number, limit), gap: false };
      const isKept = ({ jobId: id, number: own }: EventEntry): boolean => {
        const kept = jobs.get(jobName(owner, id));
        return kept !== undefined && own > kept.lostTo;
      };
      return { events: from(log.entries, number, Infinity).filter(isKept).slice(0, limit), gap: false };
    },
    position: (owner) => {
      const { epoch, last } = logOf(owner);
      return `${epoch}-${last}`;
    },
    expire: (owner, jobId) => {
      const name = jobName(owner, jobId);
      const job = jobs.get(name);
      if (job === undefined) return;
      jobs.delete(name);
      clear(job);
    },
    entries: function* () {
      for (const { entries } of jobs.values()) yield* entries;
    },
    size: () => owners.size + jobs.size + count,
    losses: function* () {
      for (const { owner, jobId, lostTo } of jobs.values()) if (lostTo > 0) yield { owner, jobId, lostTo };
    },
    heads: function* () {
      for (const [owner, { epoch, last, lostTo }] of owners) yield { owner, epoch, last, lostTo };
    },
    restoreHead: ({ owner, epoch, last, lostTo }) => {
      const log = logOf(owner);
      Object.assign(log, { epoch, last: Math.max(last, log.last), lostTo: Math.max(lostTo, log.lostTo) });
    },
    restoreLoss: ({ owner, jobId, lostTo }) => {
      jobOf(owner, jobId).lostTo = lostTo;
    },
    restore: put,
  };
};

const jobName = (owner: string, jobId: string): string => JSON.stringify([owner, jobId]);

const isEnd = (event: LifecycleEvent): boolean =>
  (event.type === 'status' && isTerminal(event.status.phase)) ||
  (event.type === 'submitted' && isTerminal(event.state.phase));

/** The number of a position; undefined for what is none of this log. */
const numberOf = ({ epoch, last }: OwnerLog, position: string): number | undefined => {
  const [, name, digits = ''] = /^([^~]+)-(0|[1-9]\d{0,14})$/u.exec(position) ?? [];
  const number = Number(digits);
  return name === epoch && number <= last ? number : undefined;
};

/** The entries after a number, found by bisection. */
const from = (entries: readonly EventEntry[], number: number, limit: number): readonly EventEntry[] => {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.number ?? Infinity) <= number) low = middle + 1;
    else high = middle;
  }
  return entries.slice(low, low + limit);
};

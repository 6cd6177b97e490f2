import { type Job, stateOf } from '../scheduler/job.js';
import type { LedgerJob, LedgerSocket } from './ledger.js';
import type { Outlet } from '../sockets/outlet.js';

/** Every accepted job, in order. */
export interface JobBook {
  /** Enters a job; the result is its place, from 1. */
  readonly accept: (job: Job) => number;
  /** Its place, from 1. */
  readonly numberOf: (promptId: string) => number | undefined;
  /** When it ended. */
  readonly endOf: (promptId: string) => number | undefined;
  /** The truth as it is now; a job that `isGone` and never ended was deleted. */
  readonly jobs: (isGone?: (job: Job) => boolean) => readonly LedgerJob[];
}

/** An empty book. */
export const createJobBook = (): JobBook => {
  const jobs: Job[] = [];
  const numbers = new Map<string, number>();
  return {
    accept: (job) => {
      const number = jobs.push(job);
      numbers.set(job.id, number);
      return number;
    },
    numberOf: (promptId) => numbers.get(promptId),
    endOf: (promptId) => jobs[(numbers.get(promptId) ?? 0) - 1]?.endedAt,
    jobs: (isGone = () => false) =>
      jobs.map((job) => ({
        promptId: job.id,
        state: truthOf(job, isGone),
        outputs: Object.fromEntries(job.outputs),
        extraData: job.extraData,
      })),
  };
};

const truthOf = (job: Job, isGone: (job: Job) => boolean): LedgerJob['state'] => {
  if (job.word === 'lost') return 'lost';
  return job.endedAt === undefined && isGone(job) ? 'deleted' : stateOf(job.word);
};

/** Keeps a record of every socket that opened. */
export interface SocketBook {
  /** Enters a socket, and counts what goes out to it. */
  readonly open: (clientId: string | null, outlet: Outlet) => Outlet;
  readonly sockets: readonly LedgerSocket[];
}

/** An empty book. */
export const createSocketBook = (): SocketBook => {
  const sockets: { clientId: string | null; messages: number; isOpen: boolean }[] = [];
  return {
    sockets,
    open: (clientId, outlet) => {
      const entry = { clientId, messages: 0, isOpen: true };
      sockets.push(entry);
      outlet.onClose(() => {
        entry.isOpen = false;
      });
      return {
        ...outlet,
        send: (wire) => {
          if (entry.isOpen) entry.messages += 1;
          outlet.send(wire);
        },
      };
    },
  };
};

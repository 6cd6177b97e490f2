import { type Job, stateOf } from './job.js';
import type { LedgerJob } from '../ledger.js';

/** Every accepted job, in order. */
export interface JobLedger {
  /** Adds a job and returns its number, from 1. */
  readonly accept: (job: Job) => number;
  /** Puts a job that was lost back in its place, where there is one of this id. */
  readonly takeBack: (job: Job) => boolean;
  /** Its number, from 1. */
  readonly numberOf: (promptId: string) => number | undefined;
  /** When it ended. */
  readonly endOf: (promptId: string) => number | undefined;
  /** The current state of every job; one that `isGone` and never ended was deleted. */
  readonly jobs: (isGone?: (job: Job) => boolean) => readonly LedgerJob[];
}

/** An empty ledger. */
export const createJobLedger = (): JobLedger => {
  const jobs: Job[] = [];
  const numbers = new Map<string, number>();
  return {
    accept: (job) => {
      const number = jobs.push(job);
      numbers.set(job.id, number);
      return number;
    },
    takeBack: (job) => {
      const number = numbers.get(job.id) ?? 0;
      if (jobs[number - 1]?.status !== 'lost') return false;
      jobs[number - 1] = job;
      return true;
    },
    numberOf: (promptId) => numbers.get(promptId),
    endOf: (promptId) => jobs[(numbers.get(promptId) ?? 0) - 1]?.endedAt,
    jobs: (isGone = () => false) =>
      jobs.map((job) => ({
        promptId: job.id,
        state: ledgerStateOf(job, isGone),
        outputs: Object.fromEntries(job.outputs),
        createdAt: job.createdAt,
        endedAt: job.endedAt,
        extraData: job.extraData,
      })),
  };
};

const ledgerStateOf = (job: Job, isGone: (job: Job) => boolean): LedgerJob['state'] => {
  if (job.status === 'lost') return 'lost';
  return job.endedAt === undefined && isGone(job) ? 'deleted' : stateOf(job.status);
};

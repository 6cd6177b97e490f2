import type { TokenLock } from '../store/job-store.js';
import type { Worker } from 'bullmq';

/** The version of BullMQ whose lock is where {@link lockOf} says; tests hold the one that is installed against it. */
export const lockVersion = 6;

/**
 * The lock of a worker on a job of BullMQ. BullMQ documents no way to ask for it, so this is the one place that knows where it is: in a
 * text by the job's key and `:lock`, whose value is the worker's token.
 */
export const lockOf = (worker: Pick<Worker, 'toKey'>, engineId: string, token = ''): TokenLock => ({
  key: worker.toKey(`${engineId}:lock`),
  token,
});

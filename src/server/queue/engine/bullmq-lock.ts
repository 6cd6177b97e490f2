import type { TokenLock } from '../store/job-store.js';
import type { Queue, Worker } from 'bullmq';
import { serviceError } from '../../../core/errors/service-error.js';

/** The major version of BullMQ whose lock is where {@link lockOf} says. */
export const lockVersion = 6;

/** Throws `InvalidConfig` where the lock of this BullMQ may be elsewhere: a worker would take jobs by a lock that it does not see. */
export const assertLockVersion = ({ metaValues }: Pick<Queue, 'metaValues'>): void => {
  const version = String(metaValues['version']).replace(/^.*:/u, '');
  if (Number.parseInt(version, 10) === lockVersion) return;
  throw serviceError('InvalidConfig', {
    option: 'connection',
    message: `A queue works by BullMQ ${lockVersion}, and BullMQ ${version} is installed.`,
    hint: `Install it: npm install bullmq@${lockVersion}`,
  });
};

/**
 * The lock of a worker on a job of BullMQ. BullMQ documents no way to ask for it, so this is the one place that knows where it is: in a
 * text by the job's key and `:lock`, whose value is the worker's token.
 */
export const lockOf = (worker: Pick<Worker, 'toKey'>, engineId: string, token = ''): TokenLock => ({
  key: worker.toKey(`${engineId}:lock`),
  token,
});

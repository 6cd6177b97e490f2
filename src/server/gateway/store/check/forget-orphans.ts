import { eventLogIn } from '../event-log.js';
import type { JobHead } from '../event-values.js';
import type { Store } from '../store.js';

/**
 * Tells of events whose job is not there, and forgets them.
 *
 * A job is stored before its events, and forgotten before them. So its record is lost, or a process ended while it forgot the job: nothing
 * in the store can tell the two apart.
 */
export const forgetOrphans = async (
  store: Store,
  orphans: readonly JobHead[],
  tell: (message: string) => void,
): Promise<void> => {
  const log = eventLogIn(store);
  for (const { owner, jobId, events } of orphans) {
    tell(orphanMessage(owner, jobId, events));
    await log.expire(owner, jobId);
  }
};

/** What a start says of the events of a job that is not there. */
export const orphanMessage = (owner: string, jobId: string, events: number): string =>
  `The job ${jobId} of ${owner} is not there, but ${events} of its events are: its record is lost, or a process ended while it forgot the job.`;

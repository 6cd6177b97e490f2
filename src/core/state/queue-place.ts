import { isJsonObject } from '../protocol/json/json.js';

/** Where a waiting job stands, as far as the service tells it. */
export interface QueuePlace {
  /** Its place among the jobs that wait before it may run, from 1; of a cloud service among the account's own. */
  readonly position?: number;
  /** Why it waits: `concurrency_limit` (the account's own limit), `capacity` (no worker is free), or a newer word. */
  readonly reason?: string;
}

/** Reads `queue_position` and `queue_reason`; undefined if the answer has neither (docs/protocol.md, 2.6 and 12.5). */
export const readQueuePlace = (job: unknown): QueuePlace | undefined => {
  if (!isJsonObject(job)) return undefined;
  const { queue_position: position, queue_reason: reason } = job;
  const place = {
    ...(Number.isSafeInteger(position) && (position as number) >= 1 && { position: position as number }),
    ...(typeof reason === 'string' && reason !== '' && { reason }),
  };
  return Object.keys(place).length === 0 ? undefined : place;
};

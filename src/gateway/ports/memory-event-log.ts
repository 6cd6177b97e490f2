import type { EventLog } from './event-log.js';
import { type EventLogLimits, eventTable } from './event-table.js';
import { uuid } from '../../platform/uuid.js';

/**
 * Keeps events in memory: a restart forgets all of them, and positions from before it are a gap.
 *
 * At its bounds the events of jobs that have ended go first, of the oldest job before the others; then those of the oldest job that
 * goes on. A reader who has not read what is gone gets a gap and a snapshot.
 */
export const memoryEventLog = (limits: EventLogLimits = {}): EventLog => {
  const table = eventTable(newEpoch, limits);
  return {
    append: (owner, jobId, events) => Promise.resolve(table.append(owner, jobId, events).map(({ id }) => id)),
    read: (scope, after, limit) => Promise.resolve(table.read(scope, after, limit)),
    position: (owner) => Promise.resolve(table.position(owner)),
    expire: (owner, jobId) => {
      table.expire(owner, jobId);
      return Promise.resolve();
    },
  };
};

/** A name that no other log has: 48 random bits. */
export const newEpoch = (): string => uuid().replaceAll('-', '').slice(0, 12);

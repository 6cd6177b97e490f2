import type { EventLog } from '../../joblog/event-log.js';
import { eventLogIn } from './event-log.js';
import type { EventLogLimits } from './remove-events.js';
import { memoryStore } from './memory-store.js';

/**
 * Keeps events in memory: a restart forgets all of them, and positions from before it are a gap.
 *
 * At its bounds the events of jobs that have ended go first, of the oldest job before the others; then those of the oldest job that
 * goes on. A reader who has not read what is gone gets a gap and a snapshot.
 */
export const memoryEventLog = (limits: EventLogLimits = {}): EventLog => eventLogIn(memoryStore(), limits);

import type { EventLog } from '../../joblog/event-log.js';
import { eventLogIn } from './event-log.js';
import type { EventLogLimits } from './remove-events.js';
import { memoryStore } from './memory-store.js';

/**
 * Keeps events in memory: a restart forgets all of them, and positions from before it are a gap.
 *
 * At its bounds the events of the owner that has most go first: of its jobs that have ended, the oldest before the others, then of its oldest
 * job that goes on. A reader who has not read what is gone gets a gap and a snapshot.
 */
export const memoryEventLog = (limits: EventLogLimits = {}): EventLog => eventLogIn(memoryStore(), limits);

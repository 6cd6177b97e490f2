import { applyQueueEvent, type QueueJobState } from './queue-state.js';
import { endedAs } from '../../../core/state/ended-as.js';
import type { EventLog, LoggedEvent, LogScope } from '../../joblog/event-log.js';
import { initialJobState } from '../../../core/state/initial-job-state.js';
import { isTerminal, type TerminalPhase } from '../../../core/state/job-state.js';
import { progressOf, statusOf } from '../../../core/events/state-members.js';
import type { LifecycleEvent } from '../../../core/events/job-log-event.js';
import type { QueueKind } from '../store/queue-kind.js';
import { eventsSince, replay } from '../../joblog/replay.js';
import { serviceError } from '../../../core/errors/service-error.js';

/** A job's event with its id, after which a follower may go on. */
export interface QueueEvent {
  /** The id of the event. */
  readonly id: string;
  /** What happened. */
  readonly event: LifecycleEvent;
  /** The state of the job by then. */
  readonly state: QueueJobState;
}

/** An event as a follower reads it. */
export interface ReadEvent extends QueueEvent {
  /** Whether the follower does not have it yet. */
  readonly isNew: boolean;
  /** Whether it ends the job: no event follows it. */
  readonly isLast: boolean;
}

/**
 * Reads the log of a job as it grows: each call of the returned function gives the events since the last one.
 *
 * The log is folded from its first event on, and a follower that was at a position of the tenant's log already gets the events `after` it;
 * of the older ones only one that ends the job. A job that has `ended` ends so where its log does not say it. The generator throws `NotFound` where the log
 * has no such position, or is gone, as on a server that was emptied.
 */
export const logReader = (
  { log, kind }: { readonly log: Pick<EventLog, 'read'>; readonly kind?: QueueKind },
  { tenant, id }: { readonly tenant: string; readonly id: string },
  after: string | undefined,
  ended?: { readonly phase: TerminalPhase; readonly at: number },
): (() => AsyncGenerator<ReadEvent>) => {
  const applied = applyQueueEvent(kind);
  let position: string | undefined;
  let state: QueueJobState = initialJobState({ workflow: {} });
  let isResumed = after === undefined;
  return async function* () {
    const scope = { owner: tenant, jobId: id };
    const events =
      position === undefined ? (await replay(log, scope)).events : await eventsSince(log, scope, position);
    if (events === undefined)
      throw serviceError('NotFound', { message: `The log of the job ${id} is gone.` });
    // What is appended between the two reads comes with the next one.
    const firstNew = isResumed ? 0 : await countUpTo(log, scope, events, after ?? '');
    isResumed = true;
    for (const [index, { id: eventId, event }] of events.entries()) {
      position = eventId;
      state = applied(state, event);
      const isLast = index === events.length - 1 && isTerminal(state.phase);
      const isNew = index >= firstNew;
      // A follower that has the last event already is done.
      if (isNew || isLast) yield { id: eventId, event, state, isNew, isLast };
    }
    if (ended === undefined || isTerminal(state.phase)) return;
    state = endedAs(state, ended.phase);
    const event = {
      type: 'status',
      at: ended.at,
      status: statusOf(state),
      progress: progressOf(state),
    } as const;
    yield { id: position ?? '', event, state, isNew: true, isLast: true };
  };
};

/** How many of these events stand up to a position, which may carry what a gateway's stream adds after a tilde. */
const countUpTo = async (
  log: Pick<EventLog, 'read'>,
  scope: Required<LogScope>,
  events: readonly LoggedEvent[],
  after: string,
): Promise<number> => {
  const [position = ''] = after.split('~', 1);
  const later = await eventsSince(log, scope, position);
  if (later === undefined) {
    throw serviceError('NotFound', { message: `The log of the job ${scope.jobId} has no event ${after}.` });
  }
  const first = events.findIndex(({ id }) => id === later[0]?.id);
  return first < 0 ? events.length : first;
};

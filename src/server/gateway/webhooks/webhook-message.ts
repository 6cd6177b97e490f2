import type { JobEntry } from '../registry/job-entry.js';
import { isTerminal } from '../../../core/state/job-state.js';
import { jobEventData } from '../streams/stream-serializer.js';
import type { LifecycleEvent } from '../../../core/events/job-log-event.js';
import type { LoggedEvent } from '../../joblog/event-log.js';
import type { WebhookKind } from '../../../core/events/webhook-kinds.js';
import { writeExactJson } from '../../../core/protocol/json/exact-json.js';

/** What the body of a message says. */
export interface WebhookMessage {
  /** A {@link WebhookKind}, or `job.gap`: events of the job are no longer kept, so ask for the job itself. */
  readonly type: string;
  /** When the event happened, as ISO 8601. */
  readonly timestamp: string;
  /** The event as the gateway's streams have it: `job` is the job's id. Of a gap `job` alone. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** A message as it is sent: each try has the same id and body. */
export interface OutgoingMessage {
  readonly id: string;
  readonly body: string;
  /** The position in the log that is reached with it. */
  readonly position: string;
}

/** The kind of an event. */
export const kindOf = (event: LifecycleEvent): WebhookKind => {
  if (event.type === 'status' && isTerminal(event.status.phase)) return 'job.ended';
  if (event.type === 'submitted' && isTerminal(event.state.phase)) return 'job.ended';
  return `job.${event.type}`;
};

/** Makes the message of an event; its id is made of the job's, which no one guesses, and the event's position. */
export const messageOf = ({ id, jobId, event }: LoggedEvent): OutgoingMessage =>
  message(`msg_${jobId}_${id}`, id, {
    type: kindOf(event),
    timestamp: new Date(event.at).toISOString(),
    data: jobEventData(jobId, event),
  });

/** Makes the message that tells of events of a job that are gone from the log. */
export const gapOf = (job: JobEntry, position: string): OutgoingMessage =>
  message(`msg_${job.record.id}_${position}_gap`, position, {
    type: 'job.gap',
    timestamp: new Date(job.publishedAt).toISOString(),
    data: { job: job.record.id },
  });

const message = (id: string, position: string, content: WebhookMessage): OutgoingMessage => ({
  ...{ id, position },
  body: writeExactJson(content),
});

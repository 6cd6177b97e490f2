import type { JobEntry } from '../registry/job-entry.js';
import { isTerminal } from '../../../core/state/job-state.js';
import { jobEventData } from '../streams/stream-serializer.js';
import type { LifecycleEvent } from '../../../core/events/job-log-event.js';
import type { LoggedEvent } from '../../joblog/event-log.js';
import type { WebhookKind } from '../../../core/events/webhook-kinds.js';
import { namedFiles } from '../native/named-files.js';
import type { WebhookRecord } from '../ports/webhook-store.js';
import { writeExactJson } from '../../../core/protocol/json/exact-json.js';

/** What the body of a message says. */
export interface WebhookMessage {
  /** A {@link WebhookKind}, or `job.gap`: events of the job are no longer kept, so ask for the job itself. */
  readonly type: string;
  /** When the event happened, as ISO 8601. */
  readonly timestamp: string;
  /** The event as the gateway's streams have it: `job` is the job's id. Of a gap `job` alone; the end of a job with a webhook of its own has `inputs` and `outputs` by name. */
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
export const messageOf = (
  { id, jobId, event }: LoggedEvent,
  { job, webhook }: { readonly job: JobEntry; readonly webhook: WebhookRecord },
): OutgoingMessage => {
  const type = kindOf(event);
  const timestamp = new Date(event.at).toISOString();
  const data = jobEventData(jobId, event, webhook.job?.base);
  if (webhook.job === undefined) return message(`msg_${jobId}_${id}`, id, { type, timestamp, data });
  const { inputs, base } = webhook.job;
  const named = type === 'job.ended' ? { inputs, outputs: namedFiles(job, base) } : {};
  // A target that is the caller's as well gets both.
  return message(`msg_${jobId}_${id}_job`, id, { type, timestamp, data: { ...data, ...named } });
};

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

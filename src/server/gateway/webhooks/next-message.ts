import type { JobEntry } from '../registry/job-entry.js';
import type { EventLog, LoggedEvent } from '../../joblog/event-log.js';
import { gapOf, kindOf, messageOf, type OutgoingMessage } from './webhook-message.js';
import { callerOf } from './job-webhook.js';
import type { WebhookRecord } from '../ports/webhook-store.js';

/** The next message of a job, or how far its log holds none. */
export type NextMessage =
  | { readonly _tag: 'message'; readonly message: OutgoingMessage }
  /** Nothing for now; `position` is reached by events that the caller did not ask for. */
  | { readonly _tag: 'nothing'; readonly position?: string };

const pageSize = 32;

/** Finds the next event of a job that its owner asked for, after `position` or where the webhook begins. Rejects where the log does not answer. */
export const nextMessage = async (
  log: EventLog,
  job: JobEntry,
  webhook: WebhookRecord,
  position: string | undefined,
): Promise<NextMessage> => {
  const { events: kinds, from } = webhook;
  const owner = callerOf(webhook);
  let reached = position;
  while (job.position !== undefined && reached !== job.position) {
    const page = await log.read({ owner, jobId: job.record.id }, reached ?? from, pageSize);
    if (page.gap) return { _tag: 'message', message: gapOf(job, job.position) };
    const events = published(page.events, job.position);
    const wanted = events.find(({ event }) => kinds.includes(kindOf(event)));
    if (wanted !== undefined) return { _tag: 'message', message: messageOf(wanted, { job, webhook }) };
    reached = events.at(-1)?.id ?? reached;
    if (events.length < pageSize) break;
  }
  return {
    _tag: 'nothing',
    ...(reached !== position && reached !== undefined && { position: reached }),
  };
};

/** A log may give events that it does not keep for good yet: these come later. */
const published = (events: readonly LoggedEvent[], last: string): readonly LoggedEvent[] => {
  const count = events.findIndex(({ id }) => id === last) + 1;
  return count === 0 && events.length === pageSize ? events : events.slice(0, count);
};

import type { JobEntry } from '../registry/job-entry.js';
import type { GatewayJob, GatewayPreview, StreamForm } from '../model/gateway-jobs.js';
import type { JobLogEvent } from '../../../core/events/job-log-event.js';
import { progressOf } from '../../../core/events/state-members.js';
import type { LoggedEvent } from '../../joblog/event-log.js';
import type { V2Documents, V2Event } from './v2-documents.js';
import { shownState } from '../model/native-document.js';
import { pathPart } from '../../../core/protocol/path-part.js';

/** One event of a stream before it has its id. */
export type StreamEvent = V2Event;

/** Where a preview can be fetched: with a ticket also by an `<img>` of a page, which sends no headers. */
const previewAddress = (
  { record }: GatewayJob,
  { nodeId, id }: GatewayPreview,
  base: string,
  ticket: string | undefined,
): string => {
  const address = `${base}/jobs/${record.id}/previews/${pathPart(nodeId)}?v=${id}`;
  return ticket === undefined ? address : `${address}&ticket=${ticket}`;
};

/** Makes the events of a stream, in one view, of what happens to jobs. */
export interface StreamSerializer {
  /** The events that an event of the log becomes. */
  readonly logged: (job: GatewayJob, event: LoggedEvent, base: string) => readonly StreamEvent[];
  readonly progress: (job: JobEntry) => StreamEvent | undefined;
  readonly preview: (
    job: GatewayJob,
    preview: GatewayPreview,
    base: string,
    ticket: string | undefined,
  ) => StreamEvent;
  /** What a reader of all jobs gets of one that is gone; undefined if the view has no word for it. */
  readonly deleted: ((job: string) => StreamEvent) | undefined;
  /** What a reader gets last who may not go on. */
  readonly revoked: StreamEvent;
  /** At least this long between two progress events of a job, in milliseconds. */
  readonly progressEveryMs: number;
}

/** The serializers by view. */
export const streamSerializers = (
  v2: V2Documents,
): Readonly<Record<StreamForm['view'], StreamSerializer>> => ({
  native: {
    logged: ({ record }, { event }, base) => [ofJob(record.id, event, base)],
    progress: ({ record, state, publishedAt }) =>
      ofJob(record.id, { type: 'progress', at: publishedAt, progress: progressOf(state) }),
    preview: (job, preview, base, ticket) => ({
      event: 'preview',
      data: {
        job: job.record.id,
        id: preview.id,
        nodeId: preview.nodeId,
        mediaType: preview.mediaType,
        url: previewAddress(job, preview, base, ticket),
      },
    }),
    deleted: (job) => ({ event: 'deleted', data: { job } }),
    revoked: { event: 'revoked', data: unauthorized },
    progressEveryMs: 0,
  },
  v2: {
    logged: v2.v2Events,
    progress: v2.v2Progress,
    preview: (_, preview) => v2.v2Preview(preview),
    deleted: undefined,
    revoked: { event: 'error', data: { error: unauthorized } },
    // What API v2 allows.
    progressEveryMs: 500,
  },
});

const unauthorized = { code: 'unauthorized', message: 'The caller may not read this stream any more.' };

const ofJob = (job: string, event: JobLogEvent, base?: string): StreamEvent => ({
  event: event.type,
  data: jobEventData(job, event, base),
});

/** What readers get of an event; addresses begin with `base`, where it is known. */
export const jobEventData = (
  job: string,
  event: JobLogEvent,
  base = '',
): Readonly<Record<string, unknown>> => ({ job, ...asShown(job, event, base) });

/** Readers know a job by its id on the gateway, and never see that of the service. */
const asShown = (job: string, event: JobLogEvent, base: string): JobLogEvent => {
  if (event.type === 'submitted') return { ...event, state: shownState(event.state, job, base) };
  return event.type === 'status' ? { ...event, status: shownState(event.status, job, base) } : event;
};

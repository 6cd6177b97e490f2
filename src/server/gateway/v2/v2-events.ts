import { base64 } from '../../joblog/base64.js';
import type { CallerBase, V2JobStatus } from './documents.js';
import type { GatewayJob } from '../model/gateway-jobs.js';
import type { OutputEvent } from '../../../core/events/job-log-event.js';
import { outputDocument, outputsOfJob } from './output-documents.js';
import { progressDocument } from './progress-document.js';
import { statusOf } from './job-document.js';
import type { V2Documents, V2Event } from '../streams/v2-documents.js';

/** The events of a job's stream in API v2; an event of the log alone decides what it is, so that a replay says what was so then. */
export const v2Documents: V2Documents = {
  v2Status: (job) => status(statusOf(job)),
  v2Events: ({ record, state }, { event }, base) => {
    const { cancelRequestedAt, ...uncancelled } = record;
    const isCancelled = cancelRequestedAt !== undefined && cancelRequestedAt <= event.at;
    const then = isCancelled ? record : uncancelled;
    switch (event.type) {
      case 'submitted':
        return [status(statusOf({ record: then, state: event.state }))];
      case 'status': {
        const now = { record: then, state: { ...state, ...event.progress, phase: event.status.phase } };
        // The end of a short job may be all that a reader sees of it: how far it came goes before its last status.
        const progress = event.progress === undefined ? null : progressDocument(now);
        return [...(progress === null ? [] : [{ event: 'progress', data: progress }]), status(statusOf(now))];
      }
      case 'cancelRequested':
        return [status('canceling')];
      case 'output':
        return addedOutputs({ record, state }, event, base);
    }
  },
  v2Progress: (job) => {
    const data = progressDocument(job);
    return data === null ? undefined : { event: 'progress', data };
  },
  v2Preview: ({ nodeId, mediaType, bytes }) => ({
    event: 'preview',
    data: { node_id: nodeId, content_type: mediaType, data_base64: base64(bytes) },
  }),
};

const status = (word: V2JobStatus): V2Event => ({
  event: 'status',
  data: { status: word, queue_position: null },
});

const addedOutputs = (
  { record, state }: GatewayJob,
  { nodeId, outputs, added }: OutputEvent,
  base: CallerBase,
): readonly V2Event[] => {
  const isAdded = new Set(added.map(nameOf));
  const node = Object.assign(Object.create(null) as Record<string, typeof outputs>, { [nodeId]: outputs });
  return outputsOfJob({ record, state: { ...state, outputs: node } })
    .filter(({ file }) => isAdded.has(nameOf(file)))
    .map((output) => ({ event: 'output', data: outputDocument({ record }, output, base) }));
};

const nameOf = ({ filename, subfolder = '', type = 'output', asset }: FileName): string =>
  JSON.stringify([filename, subfolder, type, asset?.id]);

interface FileName {
  readonly filename: string;
  readonly subfolder?: string;
  readonly type?: string;
  readonly asset?: { readonly id: string };
}

import { address, count, epochMs, object, webhookKind } from './shapes.js';
import { annotated } from './annotated.js';
import { jobProgress, jobState, jobStatus, nodeOutputs } from './job-state.js';
import { nativeFile, streamedJob } from './native.js';
import { v2Output, v2Progress, v2Status } from './v2.js';
import * as t from 'io-ts';

const outputFile = object(
  'OutputFile',
  {
    nodeId: t.string,
    filename: t.string,
    subfolder: t.string,
    type: t.string,
    mediaType: t.string,
  },
  {
    displayNodeId: t.string,
    asset: object('AssetRef', { id: t.string }, { hash: t.string, url: t.string }),
    metadata: object(
      'FileMetadata',
      {},
      {
        kind: t.string,
        width: t.number,
        height: t.number,
        duration: t.number,
        fps: t.number,
        frameCount: t.number,
      },
    ),
    otherType: t.string,
  },
);

/** The data of an event of a job; `type` repeats the event's name. */
const ofJob = <Type extends string, Required extends t.Props, Optional extends t.Props>(
  name: string,
  type: Type,
  required: Required,
  optional: Optional,
) => object(name, { job: t.string, type: t.literal(type), at: epochMs, ...required }, optional);

const submitted = ofJob('SubmittedData', 'submitted', { state: jobState }, {});
const status = ofJob('StatusData', 'status', { status: jobStatus }, { progress: jobProgress });
const output = ofJob(
  'OutputData',
  'output',
  { nodeId: t.string, outputs: nodeOutputs, added: t.readonlyArray(outputFile) },
  {},
);
const cancelRequested = ofJob('CancelRequestedData', 'cancelRequested', {}, {});
const progress = ofJob('ProgressData', 'progress', { progress: jobProgress }, {});

const eventId = annotated(t.string, { description: 'What `Last-Event-ID` or `after` takes.' });

/** One event: in NDJSON a line, in Server-Sent Events the fields `id`, `event` and `data`. */
const event = <Name extends string, Data extends t.Mixed>(component: string, name: Name, data: Data) =>
  t.type({ id: eventId, event: t.literal(name), data }, component);

const refused = t.type({ code: t.string, message: t.string });
const nothing = t.type({});

/** The events of the gateway's own streams. */
export const nativeEvent = t.union(
  [
    event(
      'SnapshotEvent',
      'snapshot',
      object('Snapshot', { jobs: t.readonlyArray(streamedJob) }, { more: t.boolean }),
    ),
    event('SubmittedEvent', 'submitted', submitted),
    event('StatusEvent', 'status', status),
    event('OutputEvent', 'output', output),
    event('CancelRequestedEvent', 'cancelRequested', cancelRequested),
    event('ProgressEvent', 'progress', progress),
    event(
      'PreviewEvent',
      'preview',
      t.type({ job: t.string, id: t.string, nodeId: t.string, mediaType: t.string, url: address }, 'Preview'),
    ),
    event('DeletedEvent', 'deleted', t.type({ job: t.string }, 'Deleted')),
    event('RevokedEvent', 'revoked', refused),
    event('GapEvent', 'gap', nothing),
    event('ReconnectEvent', 'reconnect', t.type({ afterMs: count })),
  ],
  'JobEvent',
);

/** The events of a stream of API v2. */
export const v2Event = t.union(
  [
    event('V2StatusEvent', 'status', t.type({ status: v2Status, queue_position: t.null })),
    event('V2ProgressEvent', 'progress', v2Progress),
    event(
      'V2PreviewEvent',
      'preview',
      t.type({
        node_id: t.string,
        content_type: t.string,
        data_base64: annotated(t.string, { contentEncoding: 'base64' }),
      }),
    ),
    event('V2OutputEvent', 'output', v2Output),
    event('V2ErrorEvent', 'error', t.type({ error: refused })),
    event('V2GapEvent', 'gap', nothing),
  ],
  'V2Event',
);

/** The end of a job with a webhook of its own. */
const ended = t.intersection(
  [status, t.type({ inputs: t.UnknownRecord, outputs: t.record(t.string, t.readonlyArray(nativeFile)) })],
  'EndedData',
);

const gap = t.type(
  { type: t.literal('job.gap'), timestamp: t.string, data: t.type({ job: t.string }) },
  'WebhookGap',
);

/** The body of a message to a webhook. */
export const webhookMessage = t.union(
  [
    t.type(
      {
        type: webhookKind,
        timestamp: t.string,
        data: t.union([ended, submitted, status, output, cancelRequested]),
      },
      'WebhookEvent',
    ),
    gap,
  ],
  'WebhookMessage',
);

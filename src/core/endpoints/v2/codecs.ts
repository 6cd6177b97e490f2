import { standard } from '../../protocol/standard-schema.js';
import * as t from 'io-ts';
import { nodeErrorsCodec } from '../answer-codecs.js';

const nullable = <C extends t.Mixed>(codec: C): t.UnionC<[C, t.NullC]> => t.union([codec, t.null]);

/** How far a job of API v2 is, as a whole; `value` is from 0 to 1 (docs/protocol.md, chapter 12.5). */
export const v2ProgressCodec = standard(
  t.intersection([
    t.type({ value: t.number, nodes_done: t.number, nodes_total: t.number }),
    t.partial({
      current_node: nullable(t.string),
      current_node_class: nullable(t.string),
      step: nullable(t.number),
      steps: nullable(t.number),
      message: nullable(t.string),
    }),
  ]),
);

/** One output of a job of API v2; any word for its type is taken (docs/protocol.md, chapter 12.5). */
export const v2OutputCodec = standard(
  t.intersection([
    t.type({ node_id: t.string, name: t.string, type: t.string, id: t.string, url: t.string }),
    t.partial({
      content_type: t.string,
      size_bytes: t.number,
      hash: nullable(t.string),
      url_expires_at: nullable(t.string),
      job_id: nullable(t.string),
    }),
  ]),
);

/** Why a job of API v2 failed (docs/protocol.md, chapter 12.5). */
export const v2JobErrorCodec = standard(
  t.intersection([
    t.type({ code: t.string, message: t.string }),
    t.partial({
      node_id: nullable(t.string),
      class_type: nullable(t.string),
      traceback: nullable(t.string),
    }),
  ]),
);

/** A job of API v2; any word for its status is taken, and times are as sent (docs/protocol.md, chapter 12.5). */
export const v2JobCodec = standard(
  t.intersection([
    t.type({ id: t.string, status: t.string, outputs: t.array(v2OutputCodec) }),
    t.partial({
      created_at: t.string,
      started_at: nullable(t.string),
      completed_at: nullable(t.string),
      expires_at: nullable(t.string),
      queue_position: nullable(t.number),
      progress: nullable(v2ProgressCodec),
      error: nullable(v2JobErrorCodec),
      urls: t.partial({ self: t.string, events: t.string, cancel: t.string, logs: t.string }),
      metrics: nullable(t.partial({ queue_ms: nullable(t.number), execution_ms: nullable(t.number) })),
      metadata: nullable(t.record(t.string, t.string)),
    }),
  ]),
);

/** The problems of nodes in a refusal of API v2: by input, or in the words of the engine (docs/protocol.md, chapter 12.2). */
export const v2NodeErrorsCodec = standard(
  t.union([t.record(t.string, t.array(t.type({ field: t.string, reason: t.string }))), nodeErrorsCodec]),
);

/** The envelope of every refusal of API v2 (docs/protocol.md, chapter 12.2). */
export const v2ErrorCodec = standard(
  t.type({
    error: t.intersection([
      t.type({ code: t.string, message: t.string }),
      t.partial({ details: nullable(t.UnknownRecord) }),
    ]),
  }),
);

/** The data of each event of a job's stream in API v2, by the event's name (docs/protocol.md, chapter 12.7). */
export const v2EventCodecs = {
  status: standard(
    t.intersection([t.type({ status: t.string }), t.partial({ queue_position: nullable(t.number) })]),
  ),
  progress: v2ProgressCodec,
  preview: standard(t.type({ node_id: t.string, content_type: t.string, data_base64: t.string })),
  output: v2OutputCodec,
  log: standard(t.type({ level: t.string, message: t.string })),
  error: v2ErrorCodec,
};

import { standard, type StandardSchema } from '../protocol/standard-schema.js';
import * as t from 'io-ts';
import { nodeInfoCodec } from './codecs.js';

/** The service's value or `null`. */
const nullable = <C extends t.Mixed>(codec: C): t.UnionC<[C, t.NullC]> => t.union([codec, t.null]);

/** A codec that hands on what its guard holds of. */
const guarded = <A>(name: string, is: t.Is<A>): t.Type<A> =>
  new t.Type<A>(
    name,
    is,
    (value, context) => (is(value) ? t.success(value) : t.failure(value, context)),
    t.identity,
  );

/** A text with at least one character, as ids and names are. */
const nonEmpty = guarded(
  'non-empty string',
  (value): value is string => typeof value === 'string' && value !== '',
);

/** `GET /api/object_info`: class name → definition (docs/protocol.md, chapter 2). */
export const objectInfoCodec = standard(t.record(t.string, nodeInfoCodec));

/** `POST /api/upload/image` and `/api/upload/mask`: `name` is what a workflow takes (docs/protocol.md, chapter 2). */
export const uploadedFileCodec = standard(t.type({ name: nonEmpty, subfolder: t.string, type: t.string }));

/** `GET /api/user`: whom the key belongs to (docs/protocol.md, chapter 2). */
export const userCodec = standard(
  t.intersection([t.type({ status: t.string }), t.partial({ id: t.string })]),
);

/** One problem that validation found with a node (docs/protocol.md, chapter 9). */
const nodeProblemCodec = t.intersection([
  t.type({ type: t.string, message: t.string }),
  t.partial({ details: t.string, extra_info: t.UnknownRecord }),
]);

/** The `node_errors` of a submission's answer or of a refusal: node id → its problems (docs/protocol.md, chapter 9). */
export const nodeErrorsCodec = standard(
  t.record(
    t.string,
    t.intersection([
      t.type({ errors: t.array(nodeProblemCodec) }),
      t.partial({ class_type: t.string, dependent_outputs: t.array(t.string) }),
    ]),
  ),
);

/** `POST /api/prompt`, accepted: the job's id is promised (docs/protocol.md, chapter 2). */
export const submissionCodec = standard(
  t.intersection([
    t.type({ prompt_id: nonEmpty }),
    t.partial({ number: t.number, node_errors: nodeErrorsCodec }),
  ]),
);

/** A file as outputs name it, under any key of a node's outputs (docs/protocol.md, chapter 8). */
export const outputFileCodec = standard(
  t.intersection([
    t.type({ filename: nonEmpty }),
    t.partial({ subfolder: t.string, type: t.string, format: t.string }),
  ]),
);

/** Node id → key → what the node made: files among other values (docs/protocol.md, chapter 8). */
export const outputsCodec = standard(t.record(t.string, t.UnknownRecord));

/** One message of a record of history: the type of an event and its data; what a later release adds stays. */
type RecordMessage = readonly [
  type: string,
  data: Readonly<Record<string, unknown>>,
  ...more: readonly unknown[],
];

/** A tuple of io-ts cuts off in `decode` the members that it refuses in `is`; this codec takes them in both. */
const recordMessageCodec = guarded(
  'a message of a record',
  (message): message is RecordMessage =>
    Array.isArray(message) && typeof message[0] === 'string' && t.UnknownRecord.is(message[1]),
);

/** How a record of history says that its job ended (docs/protocol.md, chapter 2). */
const recordStatusCodec = t.partial({
  status_str: t.string,
  completed: t.boolean,
  messages: t.array(recordMessageCodec),
});

/** One job's record of history (docs/protocol.md, chapters 2 and 11). */
export const historyRecordCodec = standard(
  t.intersection([
    t.type({ outputs: outputsCodec }),
    t.partial({ status: nullable(recordStatusCodec), prompt: t.unknown, meta: t.unknown }),
  ]),
);

/**
 * `GET /api/history_v2/{id}`, of a local server `GET /api/history/{id}`: the record, or a map that has it under the job's id; an
 * empty one where there is no record yet (docs/protocol.md, chapters 2 and 11).
 */
export const historyCodec = standard(t.union([historyRecordCodec, t.record(t.string, historyRecordCodec)]));

/** `GET /api/jobs/{id}`, which not every service has: only the word is promised (docs/protocol.md, chapter 2). */
export const jobDetailCodec = standard(
  t.intersection([
    t.type({ status: t.string }),
    t.partial({
      id: t.string,
      outputs: nullable(outputsCodec),
      outputs_count: nullable(t.number),
      execution_error: t.unknown,
    }),
  ]),
);

/** One job of the queue as it is listed: number, id, workflow, and more. */
export type ListedJob = readonly [
  number: number,
  promptId: string,
  workflow: Readonly<Record<string, unknown>>,
  ...more: readonly unknown[],
];

/**
 * One job of the queue: number, id and workflow; then on a cloud service the ids of its output nodes and an object with
 * `create_time`, on a local server the other way round (docs/protocol.md, chapters 2 and 11).
 */
export const queueItemCodec: t.Type<ListedJob> & StandardSchema<ListedJob> = standard(
  guarded(
    'a job of the queue',
    (item): item is ListedJob =>
      Array.isArray(item) &&
      typeof item[0] === 'number' &&
      typeof item[1] === 'string' &&
      t.UnknownRecord.is(item[2]),
  ),
);

/** `GET /api/queue`: the jobs that run and those that wait (docs/protocol.md, chapter 2). */
export const queueCodec = standard(
  t.type({
    queue_running: t.array(queueItemCodec),
    queue_pending: t.array(queueItemCodec),
  }),
);

/** `POST /api/queue` of a cloud service: the ids that were cancelled (docs/protocol.md, chapter 2). */
export const cancellationCodec = standard(t.partial({ deleted: t.array(t.string), cleared: t.boolean }));

/** `GET /api/models`, `/embeddings` and `/extensions` of a local server: names (docs/protocol.md, chapter 11). */
export const namesCodec = standard(t.array(t.string));

/** `GET /internal/logs/raw` of a local server (docs/protocol.md, chapter 11). */
export const engineLogsCodec = standard(
  t.intersection([
    t.type({
      entries: t.array(
        t.intersection([t.type({ m: t.string }), t.partial({ t: t.union([t.string, t.number]) })]),
      ),
    }),
    t.partial({ size: nullable(t.type({ cols: t.number, rows: t.number })) }),
  ]),
);

/** `GET /api/userdata?full_info=true` of a local server; without it the files are their paths (docs/protocol.md, chapter 11). */
export const userdataFilesCodec = standard(
  t.array(
    t.union([
      t.string,
      t.intersection([
        t.type({ path: t.string }),
        t.partial({ size: t.number, modified: t.number, created: t.number }),
      ]),
    ]),
  ),
);

/** `GET /api/system_stats`: both are open objects (docs/protocol.md, chapters 2 and 11). */
export const systemStatsCodec = standard(
  t.partial({ system: t.UnknownRecord, devices: t.array(t.UnknownRecord) }),
);

/** The refusal of a workflow: what is wrong with it, and with which nodes (docs/protocol.md, chapters 3 and 9). */
export const workflowRefusalCodec = standard(
  t.intersection([
    t.type({
      error: t.intersection([
        t.type({ type: t.string, message: t.string }),
        t.partial({ details: t.string, extra_info: t.unknown }),
      ]),
    }),
    t.partial({ node_errors: t.union([nodeErrorsCodec, t.UnknownArray]) }),
  ]),
);

/** The refusal of any other call (docs/protocol.md, chapter 3). */
export const refusalCodec = standard(t.type({ code: t.string, message: t.string }));

/** The error bodies of the interface, and the ones that some deployments answer instead (docs/protocol.md, chapter 3). */
export const errorBodyCodec = standard(
  t.union([workflowRefusalCodec, refusalCodec, t.type({ error: t.string }), t.type({ message: t.string })]),
);

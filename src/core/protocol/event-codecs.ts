import { standard } from './standard-schema.js';
import type { EventData, EventType } from './event-data.js';
import * as t from 'io-ts';

/** The codec's value or `null`, which the interface sends for an absent value. */
const nullable = <C extends t.Mixed>(codec: C): t.UnionC<[C, t.NullC]> => t.union([codec, t.null]);

/** A job left the queue and started; `timestamp` in milliseconds since 1970 (docs/protocol.md, chapter 6). */
const executionStart = t.intersection([
  t.type({ prompt_id: t.string }),
  t.partial({ timestamp: nullable(t.number) }),
]);

/** The nodes whose cached results are used; the list may be empty (docs/protocol.md, chapter 6). */
const executionCached = t.intersection([
  t.type({ prompt_id: t.string, nodes: t.array(t.string) }),
  t.partial({ timestamp: nullable(t.number) }),
]);

/**
 * A node starts; or, with `node` null, empty or absent, the job stopped running, which does not say how it ended. The copy
 * that a server sends after a reconnect has no `prompt_id` (docs/protocol.md, chapter 6).
 */
const executing = t.partial({
  node: nullable(t.string),
  display_node: nullable(t.string),
  prompt_id: nullable(t.string),
});

/**
 * Steps done (`value`) of all steps (`max`) of one node. Either may be a fraction, or null if a node sent `NaN`; `max` may
 * be 0 (docs/protocol.md, chapter 6).
 */
const progress = t.intersection([
  t.type({ value: nullable(t.number), max: nullable(t.number), prompt_id: t.string }),
  t.partial({ node: nullable(t.string) }),
]);

/**
 * All nodes of a job that have started: each message has the whole map by node id. Servers differ in the members of a node,
 * so each is optional; `state` is an open set (docs/protocol.md, chapter 6).
 */
const progressState = t.type({
  prompt_id: t.string,
  nodes: t.record(
    t.string,
    t.partial({
      value: nullable(t.number),
      max: nullable(t.number),
      state: t.string,
      node_id: nullable(t.string),
      prompt_id: nullable(t.string),
      display_node_id: nullable(t.string),
      parent_node_id: nullable(t.string),
      real_node_id: nullable(t.string),
      class_type: nullable(t.string),
      activity: t.unknown,
    }),
  ),
});

/** A node finished with outputs; `output` is null for a cached node without any (docs/protocol.md, chapter 6). */
const executed = t.intersection([
  t.type({ prompt_id: t.string, node: t.string }),
  t.partial({
    display_node: nullable(t.string),
    output: nullable(t.record(t.string, t.unknown)),
    merge: nullable(t.boolean),
  }),
]);

/** The job completed; its outputs may appear in history a moment later (docs/protocol.md, chapter 6). */
const executionSuccess = t.intersection([
  t.type({ prompt_id: t.string }),
  t.partial({ timestamp: nullable(t.number) }),
]);

/**
 * The job failed; or, with `exception_type` `ExecutionBlocked`, one branch was skipped and the job goes on. A failure before
 * any node started names no node. `current_inputs` is an object, or a list for a blocked branch; `current_outputs` is either
 * (docs/protocol.md, chapter 6).
 */
const executionError = t.intersection([
  t.type({ prompt_id: t.string, exception_type: t.string, exception_message: t.string }),
  t.partial({
    node_id: nullable(t.string),
    node_type: nullable(t.string),
    executed: nullable(t.array(t.string)),
    traceback: nullable(t.array(t.string)),
    current_inputs: t.unknown,
    current_outputs: t.unknown,
    timestamp: nullable(t.number),
  }),
]);

/** The running job was cancelled, by this or by another client (docs/protocol.md, chapter 6). */
const executionInterrupted = t.intersection([
  t.type({ prompt_id: t.string }),
  t.partial({
    node_id: nullable(t.string),
    node_type: nullable(t.string),
    executed: nullable(t.array(t.string)),
    timestamp: nullable(t.number),
  }),
]);

const execInfo = nullable(t.partial({ queue_remaining: t.number }));

/**
 * The queue changed: `queue_remaining` counts the jobs that wait or run. It is nested on the wire and flat in the interface
 * document, `status` may be null, and only a socket's first message has `sid` (docs/protocol.md, chapter 6).
 */
const status = t.partial({
  status: nullable(t.partial({ exec_info: execInfo })),
  exec_info: execInfo,
  queue_remaining: t.number,
  sid: nullable(t.string),
});

/** A sentence for the user; `id` appears to be a job's id (docs/protocol.md, chapter 6). */
const notification = t.intersection([t.type({ value: t.string }), t.partial({ id: nullable(t.string) })]);

/** The server's features, in answer to the client's first message (docs/protocol.md, chapter 5). */
const featureFlags = t.record(t.string, t.unknown);

/**
 * The codec of `data` of each text message, by the message's `type`; members that the interface does not name pass.
 *
 * The client itself uses guards that are generated from these codecs. The most frequent types come first, because the guards
 * test them in this order.
 *
 * @example
 * ```ts
 * import { eventCodecs } from 'promptwire/codecs';
 *
 * const isProgress = (data: unknown): boolean => eventCodecs.progress.is(data);
 * ```
 */
export const eventCodecs = {
  progress: standard(progress),
  progress_state: standard(progressState),
  status: standard(status),
  notification: standard(notification),
  execution_start: standard(executionStart),
  execution_cached: standard(executionCached),
  executing: standard(executing),
  executed: standard(executed),
  execution_success: standard(executionSuccess),
  execution_error: standard(executionError),
  execution_interrupted: standard(executionInterrupted),
  feature_flags: standard(featureFlags),
} satisfies { readonly [Type in EventType]: t.Mixed & { readonly _A: EventData[Type] } };

/** A text message of the socket as it is sent, of a type that this version knows. */
export type EventMessage = {
  [Type in EventType]: {
    /** What happened. */
    readonly type: Type;
    /** What belongs to it. */
    readonly data: EventData[Type];
  };
}[EventType];

const messageOf = <Type extends EventType>(type: Type) =>
  t.type({ type: t.literal(type), data: eventCodecs[type] });

/**
 * The codec of a whole text message: its `type` and the `data` that belongs to it.
 *
 * A message of a type that this version does not know is no such message.
 *
 * @example
 * ```ts
 * import { eventMessageCodec } from 'promptwire/codecs';
 *
 * const nodeOf = (message: unknown): string | undefined =>
 *   eventMessageCodec.is(message) && message.type === 'executing' ? (message.data.node ?? undefined) : undefined;
 * ```
 */
export const eventMessageCodec = standard(
  t.union([
    messageOf('progress'),
    messageOf('progress_state'),
    messageOf('status'),
    messageOf('notification'),
    messageOf('execution_start'),
    messageOf('execution_cached'),
    messageOf('executing'),
    messageOf('executed'),
    messageOf('execution_success'),
    messageOf('execution_error'),
    messageOf('execution_interrupted'),
    messageOf('feature_flags'),
  ]) as t.Mixed as t.Type<EventMessage>,
);

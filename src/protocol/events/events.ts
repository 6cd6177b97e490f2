import * as t from 'io-ts';

/** The codec's value or JSON `null`: the interface sends `null` where it has nothing to say. */
const nullable = <C extends t.Mixed>(codec: C): t.UnionC<[C, t.NullC]> => t.union([codec, t.null]);

/** A job left the queue and runs; `timestamp` in milliseconds since 1970 (docs/protocol.md, chapter 6). */
export const executionStart = t.intersection([
  t.type({ prompt_id: t.string }),
  t.partial({ timestamp: nullable(t.number) }),
]);

/** The nodes that need not run again; the list may be empty (docs/protocol.md, chapter 6). */
export const executionCached = t.intersection([
  t.type({ prompt_id: t.string, nodes: t.array(t.string) }),
  t.partial({ timestamp: nullable(t.number) }),
]);

/**
 * A node begins, or, with `node` null, empty or absent, the job no longer runs (which does not say how it ended). The
 * copy that a server sends after a reconnect has no `prompt_id` (docs/protocol.md, chapter 6).
 */
export const executing = t.partial({
  node: nullable(t.string),
  display_node: nullable(t.string),
  prompt_id: nullable(t.string),
});

/** Steps done of steps in all within one node; either may be a fraction, or null where a
 * node sent `NaN`; `max` may be 0 (docs/protocol.md, chapter 6). */
export const progress = t.intersection([
  t.type({ value: nullable(t.number), max: nullable(t.number), prompt_id: t.string }),
  t.partial({ node: nullable(t.string) }),
]);

/**
 * All nodes of a job that have begun, each time the whole map by node id. Which members a node has differs between
 * servers, so each is optional; `state` is an open set (docs/protocol.md, chapter 6).
 */
export const progressState = t.type({
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
    }),
  ),
});

/** A node gave outputs; `output` is null for one that came from the cache without any (docs/protocol.md, chapter 6). */
export const executed = t.intersection([
  t.type({ prompt_id: t.string, node: t.string }),
  t.partial({
    display_node: nullable(t.string),
    output: nullable(t.record(t.string, t.unknown)),
    merge: nullable(t.boolean),
  }),
]);

/** The job is completed; its outputs may follow in history a moment later (docs/protocol.md, chapter 6). */
export const executionSuccess = t.intersection([
  t.type({ prompt_id: t.string }),
  t.partial({ timestamp: nullable(t.number) }),
]);

/**
 * The job failed; or, with `exception_type` `ExecutionBlocked`, one branch was left out and the run goes on. A failure
 * before any node began names none. `current_inputs` is an object, or a list for the blocked branch, and
 * `current_outputs` either (docs/protocol.md, chapter 6).
 */
export const executionError = t.intersection([
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

/** The job was cancelled while it ran, by whomever (docs/protocol.md, chapter 6). */
export const executionInterrupted = t.intersection([
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
 * The queue of the service changed: how many jobs wait or run. The count is nested on the wire and flat in the
 * interface document, `status` may be null, and only a socket's first message has `sid` (docs/protocol.md, chapter 6).
 */
export const status = t.partial({
  status: nullable(t.partial({ exec_info: execInfo })),
  exec_info: execInfo,
  queue_remaining: t.number,
  sid: nullable(t.string),
});

/** A sentence for the person who waits; `id` seems to be a job's (docs/protocol.md, chapter 6). */
export const notification = t.intersection([
  t.type({ value: t.string }),
  t.partial({ id: nullable(t.string) }),
]);

/** What the server can do, as its answer to the client's first message (docs/protocol.md, chapter 5). */
export const featureFlags = t.record(t.string, t.unknown);

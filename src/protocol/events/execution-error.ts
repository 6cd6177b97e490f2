import * as t from 'io-ts';
import { nullable } from './nullable.js';

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

import * as t from 'io-ts';
import { nullable } from './nullable.js';

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

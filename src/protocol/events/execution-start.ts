import * as t from 'io-ts';
import { nullable } from './nullable.js';

/** A job left the queue and runs; `timestamp` in milliseconds since 1970 (docs/protocol.md, chapter 6). */
export const executionStart = t.intersection([
  t.type({ prompt_id: t.string }),
  t.partial({ timestamp: nullable(t.number) }),
]);

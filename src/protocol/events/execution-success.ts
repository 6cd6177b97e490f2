import * as t from 'io-ts';
import { nullable } from './nullable.js';

/** The job is completed; its outputs may follow in history a moment later (docs/protocol.md, chapter 6). */
export const executionSuccess = t.intersection([
  t.type({ prompt_id: t.string }),
  t.partial({ timestamp: nullable(t.number) }),
]);

import * as t from 'io-ts';
import { nullable } from './nullable.js';

/** The nodes that need not run again; the list may be empty (docs/protocol.md, chapter 6). */
export const executionCached = t.intersection([
  t.type({ prompt_id: t.string, nodes: t.array(t.string) }),
  t.partial({ timestamp: nullable(t.number) }),
]);

import * as t from 'io-ts';
import { nullable } from './nullable.js';

/**
 * A node begins, or, with `node` null, empty or absent, the job no longer runs (which does not say how it ended). The
 * copy that a server sends after a reconnect has no `prompt_id` (docs/protocol.md, chapter 6).
 */
export const executing = t.partial({
  node: nullable(t.string),
  display_node: nullable(t.string),
  prompt_id: nullable(t.string),
});

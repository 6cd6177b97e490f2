import * as t from 'io-ts';
import { nullable } from './nullable.js';

/** A node gave outputs; `output` is null for one that came from the cache without any (docs/protocol.md, chapter 6). */
export const executed = t.intersection([
  t.type({ prompt_id: t.string, node: t.string }),
  t.partial({
    display_node: nullable(t.string),
    output: nullable(t.record(t.string, t.unknown)),
    merge: nullable(t.boolean),
  }),
]);

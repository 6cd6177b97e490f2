import * as t from 'io-ts';
import { nullable } from './nullable.js';

/** Steps done of steps in all within one node; either may be a fraction, or null where a
 * node sent `NaN`; `max` may be 0 (docs/protocol.md, chapter 6). */
export const progress = t.intersection([
  t.type({ value: nullable(t.number), max: nullable(t.number), prompt_id: t.string }),
  t.partial({ node: nullable(t.string) }),
]);

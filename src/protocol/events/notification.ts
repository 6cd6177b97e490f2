import * as t from 'io-ts';
import { nullable } from './nullable.js';

/** A sentence for the person who waits; `id` seems to be a job's (docs/protocol.md, chapter 6). */
export const notification = t.intersection([
  t.type({ value: t.string }),
  t.partial({ id: nullable(t.string) }),
]);

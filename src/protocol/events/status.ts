import * as t from 'io-ts';
import { nullable } from './nullable.js';

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

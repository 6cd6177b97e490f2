import { stringifyExact } from '../exact-json.js';

/** One event: its name, its data as JSON in one line, and the empty line that ends it. */
export const encodeSse = (event: string, data: unknown): string =>
  `event: ${event}\ndata: ${stringifyExact(data)}\n\n`;

/** A comment, which clients ignore and which shows that the stream lives. */
export const keepAliveComment = ': keepalive\n\n';

/** The headers of an event stream; no proxy may buffer, compress or keep it. */
export const sseHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  connection: 'keep-alive',
  'x-accel-buffering': 'no',
};

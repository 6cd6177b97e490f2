import { decodeBinary } from './binary-frame.js';
import { type DecodeFrameOptions, decodeText } from './text-frame.js';
import { type Frame, malformed } from './frame.js';

/**
 * Turns one message of the socket, text or binary, into one `Frame`.
 *
 * Total: whatever comes in, it returns a value and never throws; what can't be read is `Malformed`, what this version
 * does not know is `Unknown`. Takes time linear in the message's size. Pictures are views on the given bytes, valid as
 * long as the caller leaves those bytes alone. Text messages keep unknown members; bare `NaN` and `Infinity` in them are
 * null; JSON in a binary message is read like text (docs/protocol.md, chapters 6 and 7).
 *
 * @example
 * ```ts
 * import { decodeFrame } from 'promptwire';
 *
 * const frame = decodeFrame('{"type": "executing", "data": {"node": "3", "prompt_id": "p1"}}');
 * if (frame._tag === 'Event' && frame.type === 'executing') console.log(frame.promptId, frame.data.node);
 * ```
 */
export const decodeFrame = (
  data: string | ArrayBuffer | Uint8Array,
  options: DecodeFrameOptions = noOptions,
): Frame => {
  if (typeof data === 'string') return decodeText(data, options);
  const bytes = bytesOf(data);
  return bytes === undefined
    ? malformed('neither text nor readable bytes', 0, '')
    : decodeBinary(bytes, options);
};

const noOptions: DecodeFrameOptions = {};

/**
 * A view of no subclass, since pictures are of its class. Undefined for what no type lets in; a buffer that was handed to
 * another thread is empty.
 */
const bytesOf = (data: ArrayBuffer | Uint8Array): Uint8Array | undefined => {
  if (data instanceof ArrayBuffer) return data.byteLength === 0 ? new Uint8Array() : new Uint8Array(data);
  return data instanceof Uint8Array && data.constructor === Uint8Array ? data : bytesOfStranger(data);
};

/** Other views, shared memory, and buffers from another realm, whose constructor is not ours. */
const bytesOfStranger = (data: unknown): Uint8Array | undefined => {
  try {
    if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    return isBuffer(data) ? new Uint8Array(data) : undefined;
  } catch {
    return undefined;
  }
};

const isBuffer = (data: unknown): data is ArrayBuffer =>
  typeof data === 'object' &&
  data !== null &&
  /^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(data));

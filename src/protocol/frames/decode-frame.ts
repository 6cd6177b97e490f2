import { decodeBinary } from './binary-frame.js';
import { type DecodeFrameOptions, decodeText } from './text-frame.js';
import { type Frame, malformed } from './frame.js';

/**
 * Decodes one message of the socket, text or binary, into one `Frame`.
 *
 * It is total: any input gives a value, and nothing throws. An unreadable message is `Malformed`, one of an unknown type is
 * `Unknown`. It takes time linear in the message's size. Pictures are views on the given bytes, valid as long as the caller
 * does not change those bytes. Text messages keep unknown members; bare `NaN` and `Infinity` in them become null; JSON in a
 * binary message is decoded like text (docs/protocol.md, chapters 6 and 7).
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
 * Views the data as a plain `Uint8Array`, since a picture would inherit a subclass such as `Buffer`. A detached buffer is
 * empty; undefined for a value that the types exclude.
 */
const bytesOf = (data: ArrayBuffer | Uint8Array): Uint8Array | undefined => {
  if (data instanceof ArrayBuffer) return data.byteLength === 0 ? new Uint8Array() : new Uint8Array(data);
  return data instanceof Uint8Array && data.constructor === Uint8Array ? data : bytesOfOther(data);
};

/** Other views, shared memory, and buffers of another realm, which fail `instanceof`. */
const bytesOfOther = (data: unknown): Uint8Array | undefined => {
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

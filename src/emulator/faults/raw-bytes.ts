import { constants, createDeflateRaw } from 'node:zlib';
import type { IllegalFrame, InterruptionAction } from '../fault.js';
import { once } from 'node:events';

/** The parts of a WebSocket frame that are not its payload. */
interface RawFrameOptions {
  /** Its first byte: FIN 0x80, three reserved bits from 0x40 down, and the opcode. */
  readonly first: number;
  readonly payload?: Uint8Array;
  /** Bytes of the payload that the caller writes after it. */
  readonly following?: number;
  /** Masks the payload with a key of zeros; only clients may mask. */
  readonly isMasked?: boolean;
}

/** One WebSocket frame (RFC 6455, 5.2), legal or not. */
const rawFrame = ({
  first,
  payload = new Uint8Array(0),
  following = 0,
  isMasked = false,
}: RawFrameOptions): Buffer => {
  const size = payload.length + following;
  const extended = size < 126 ? 0 : size < 65_536 ? 2 : 8;
  const head = Buffer.alloc(2 + extended + (isMasked ? 4 : 0));
  head[0] = first;
  head[1] = (isMasked ? 0x80 : 0) | (extended === 0 ? size : extended === 2 ? 126 : 127);
  if (extended === 2) head.writeUInt16BE(size, 2);
  if (extended === 8) head.writeBigUInt64BE(BigInt(size), 2);
  return Buffer.concat([head, payload]);
};

/** The bytes that a fault writes between the socket's own frames, if it writes any. */
export const rawBytesOf = (
  fault: InterruptionAction,
): Iterable<Uint8Array> | AsyncIterable<Uint8Array> | undefined => {
  switch (fault.do) {
    case 'illegal':
      return [illegalFrames[fault.frame]];
    case 'bytes':
      return [Buffer.from(fault.hex, 'hex')];
    case 'fragments':
      return fragmentedMessage(fault.count ?? 200_000);
    case 'oversize':
      return oversizeMessage(fault.bytes ?? 64 * mebibyte);
    case 'bomb':
      return compressedMessage(fault.bytes ?? 90 * mebibyte);
    default:
      return undefined;
  }
};

const mebibyte = 1024 * 1024;

const text = Buffer.from('{"type":"illegal","data":{}}');
const closeWith = (code: number): Buffer => Buffer.of(code >> 8, code & 0xff);

/** Frames that RFC 6455 forbids a server to send, by name. */
export const illegalFrames: Readonly<Record<IllegalFrame, Buffer>> = {
  'reserved bits': rawFrame({ first: 0x80 | 0x20 | 1, payload: text }),
  masked: rawFrame({ first: 0x81, payload: text, isMasked: true }),
  'bad opcode': rawFrame({ first: 0x83, payload: text }),
  'bad close code': rawFrame({ first: 0x88, payload: closeWith(1005) }),
  'short close': rawFrame({ first: 0x88, payload: Buffer.of(3) }),
  'long ping': rawFrame({ first: 0x89, payload: Buffer.alloc(126) }),
  'fragmented ping': rawFrame({ first: 0x09, payload: text }),
  'stray continuation': rawFrame({ first: 0x80, payload: text }),
  'invalid utf-8': rawFrame({ first: 0x81, payload: Buffer.of(0x22, 0xc3, 0x28, 0xff, 0x22) }),
};

const begin = Buffer.from('{"type":"padded","data":{}}');

/** A text message of this many bytes: an event of an unknown type, padded with spaces. */
function* paddedMessage(bytes: number): Generator<Buffer> {
  yield begin.subarray(0, bytes);
  yield* spaces(bytes - begin.length);
}

/** The message in one frame. */
function* oversizeMessage(bytes: number): Generator<Buffer> {
  yield rawFrame({ first: 0x81, following: bytes });
  yield* paddedMessage(bytes);
}

/** The message in frames of one byte each. */
function* fragmentedMessage(count: number): Generator<Buffer> {
  let index = 0;
  for (const part of paddedMessage(count)) {
    const frames = Buffer.alloc(part.length * 3);
    for (const [at, byte] of part.entries()) {
      const isLast = index === count - 1;
      frames.set([(isLast ? 0x80 : 0) | (index === 0 ? 1 : 0), 1, byte], at * 3);
      index += 1;
    }
    yield frames;
  }
}

/** The message in one compressed frame (RFC 7692), to about a thousandth of its size. */
async function* compressedMessage(bytes: number): AsyncGenerator<Buffer> {
  const deflate = createDeflateRaw({ finishFlush: constants.Z_SYNC_FLUSH });
  const compressed: Buffer[] = [];
  deflate.on('data', (piece: Buffer) => compressed.push(piece));
  for (const part of paddedMessage(bytes)) if (!deflate.write(part)) await once(deflate, 'drain');
  deflate.end();
  await once(deflate, 'end');
  // The frame omits the four bytes that end a flush (RFC 7692, 7.2.1).
  const payload = Buffer.concat(compressed).subarray(0, -4);
  yield rawFrame({ first: 0x80 | 0x40 | 1, payload });
}

/** Yields `bytes` spaces (`Infinity`: without end) as slices of one buffer. */
export function* spaces(bytes: number): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= piece.length)
    yield piece.subarray(0, Math.min(left, piece.length));
}

const piece = Buffer.alloc(64 * 1024, ' ');

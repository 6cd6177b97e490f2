import { once } from 'node:events';
import { constants, createDeflateRaw } from 'node:zlib';
import { rawFrame } from '../sockets/raw-frame.js';
import { blanks } from './blanks.js';

const begin = Buffer.from('{"type":"padded","data":{}}');

/** A text message of this many bytes: an event that nobody knows, and blanks. */
function* padded(bytes: number): Generator<Buffer> {
  yield begin.subarray(0, bytes);
  yield* blanks(bytes - begin.length);
}

/** The message in one frame. */
export function* oversizeMessage(bytes: number): Generator<Buffer> {
  yield rawFrame({ first: 0x81, following: bytes });
  yield* padded(bytes);
}

/** The message in frames of one byte each. */
export function* fragmentedMessage(count: number): Generator<Buffer> {
  let index = 0;
  for (const part of padded(count)) {
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
export async function* compressedMessage(bytes: number): AsyncGenerator<Buffer> {
  const deflate = createDeflateRaw({ finishFlush: constants.Z_SYNC_FLUSH });
  const compressed: Buffer[] = [];
  deflate.on('data', (piece: Buffer) => compressed.push(piece));
  for (const part of padded(bytes)) if (!deflate.write(part)) await once(deflate, 'drain');
  deflate.end();
  await once(deflate, 'end');
  // The frame goes without the four bytes that end a flush.
  const payload = Buffer.concat(compressed).subarray(0, -4);
  yield rawFrame({ first: 0x80 | 0x40 | 1, payload });
}

import { finished, type Readable } from 'node:stream';
import { PieceQueue } from './piece-queue.js';
import { isReadBuffer } from './read-buffers.js';
import { transportFailure } from './transport-failure.js';

/**
 * Reads a body piece by piece as it came, without joining pieces; at most some 512 KiB wait for the reader.
 *
 * Whoever stops reading has to destroy the stream.
 */
export async function* piecesOf(stream: Readable): AsyncGenerator<Uint8Array, void, undefined> {
  const queue = new PieceQueue();
  finished(stream, { writable: false }, (cause) =>
    queue.end(cause === null || cause === undefined ? undefined : transportFailure(cause, true)),
  );
  stream.on('data', (piece: Uint8Array) => {
    // By the constructor: `slice` of a `Buffer`, which it is, gives a view.
    queue.push(isReadBuffer(piece) ? new Uint8Array(piece) : piece);
    if (queue.waiting() >= maxWaiting) stream.pause();
  });
  yield* queue.pieces(() => stream.resume());
}

const maxWaiting = 256 * 1024;

import { type Readable, finished } from 'node:stream';
import { isReadBuffer } from './read-buffers.js';
import { transportFailure } from './transport-failure.js';

/**
 * Reads a body piece by piece as it came, without joining pieces; at most some 512 KiB wait for the reader.
 *
 * What came before a failure is given first. Whoever stops reading has to destroy the stream.
 */
export async function* piecesOf(stream: Readable): AsyncGenerator<Uint8Array, void, undefined> {
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  let end: { readonly cause: unknown } | undefined;
  let wake = (): void => undefined;

  finished(stream, { writable: false }, (cause) => {
    end = { cause };
    wake();
  });
  stream.on('data', (piece: Uint8Array) => {
    waiting.push(isReadBuffer(piece) ? piece.slice() : piece);
    bytes += piece.byteLength;
    if (bytes >= maxWaiting) stream.pause();
    wake();
  });
  for (;;) {
    const pieces = waiting;
    [waiting, bytes] = [[], 0];
    for (const piece of pieces) yield piece;
    if (waiting.length > 0) continue;
    if (end !== undefined) break;
    stream.resume();
    await new Promise<void>((resolve) => (wake = resolve));
  }
  if (end.cause !== null && end.cause !== undefined) throw transportFailure(end.cause, true);
}

const maxWaiting = 256 * 1024;

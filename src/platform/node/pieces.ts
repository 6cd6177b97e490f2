import { finished, type Readable } from 'node:stream';
import { isReadBuffer } from './read-buffers.js';
import { transportFailure } from './transport-failure.js';

/** Bytes between somebody who is told of them and somebody who asks for them, without a bound of its own. */
export class PieceQueue {
  private queue: Uint8Array[] = [];
  private bytes = 0;
  private ended: { readonly failure: Error | undefined } | undefined;
  private wake: (() => void) | undefined;

  push(piece: Uint8Array): void {
    this.queue.push(piece);
    this.bytes += piece.byteLength;
    this.wake?.();
  }

  /** Bytes that nobody has asked for yet. */
  waiting(): number {
    return this.bytes;
  }

  /** Takes the one piece of a queue that ended well with no more than that, `maxBytes` at most; undefined for any other queue. */
  whole(maxBytes: number): Uint8Array | undefined {
    const [only] = this.queue;
    const isWhole = this.ended !== undefined && this.ended.failure === undefined && this.queue.length === 1;
    if (!isWhole || this.bytes > maxBytes) return undefined;
    [this.queue, this.bytes] = [[], 0];
    return only;
  }

  /** Ends it, with a failure if one is given; what came before is given first. Only the first end counts. */
  end(failure?: Error): void {
    this.ended ??= { failure };
    this.wake?.();
  }

  /** What is pushed, to be read once; `drained` is called whenever more is awaited. */
  async *pieces(drained?: () => void): AsyncGenerator<Uint8Array, void, undefined> {
    for (;;) {
      const taken = this.queue;
      [this.queue, this.bytes] = [[], 0];
      for (const piece of taken) yield piece;
      if (this.queue.length > 0) continue;
      if (this.ended !== undefined) break;
      drained?.();
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
    if (this.ended.failure !== undefined) throw this.ended.failure;
  }

  [Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    return this.pieces();
  }
}

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

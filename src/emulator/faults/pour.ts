import type { Duplex } from 'node:stream';

/** Writes bytes as fast as they are taken; resolves when all are written, or the stream is over. */
export const pour = async (
  stream: Duplex,
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> => {
  for await (const piece of pieces) {
    if (stream.destroyed || stream.writableEnded) return;
    if (!stream.write(piece)) await drained(stream);
  }
};

const drained = (stream: Duplex): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done).off('close', done);
      resolve();
    };
    stream.on('drain', done).on('close', done);
  });

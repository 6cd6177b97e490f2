import { open } from 'node:fs/promises';
import { pathOfBlob } from './disk-blob.js';

/**
 * The bytes of a blob, piece by piece; each is good only until the next one is asked for.
 *
 * Those of a file are read into two buffers in turn, one while the other is sent: a fresh buffer for each piece leaves the
 * whole file to the garbage collector. Throws where the file has become shorter.
 */
export const blobPieces = (blob: Blob): AsyncIterable<Uint8Array> => {
  const path = pathOfBlob(blob);
  return path === undefined ? slices(blob) : filePieces(path, blob.size);
};

const pieceBytes = 256 * 1024;

async function* slices(blob: Blob): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < blob.size; at += pieceBytes) {
    yield new Uint8Array(await blob.slice(at, at + pieceBytes).arrayBuffer());
  }
}

async function* filePieces(path: string, size: number): AsyncGenerator<Uint8Array, void, undefined> {
  const file = await open(path);
  try {
    let [buffer, other] = [new Uint8Array(pieceBytes), new Uint8Array(pieceBytes)];
    const read = async (from: number): Promise<number> => {
      const { bytesRead } = await file.read(buffer, 0, Math.min(pieceBytes, size - from), from);
      if (bytesRead === 0) throw Object.assign(new Error('the file became shorter'), { code: 'EIO' });
      return bytesRead;
    };
    let reading = size > 0 ? read(0) : undefined;
    for (let at = 0; reading !== undefined;) {
      const bytes = await reading;
      // What is shorter than a socket's own buffer may still wait there when its turn comes again.
      const piece = bytes === pieceBytes ? buffer : buffer.slice(0, bytes);
      [buffer, other] = [other, buffer];
      at += bytes;
      reading = at < size ? read(at) : undefined;
      reading?.catch(() => undefined);
      yield piece;
    }
  } finally {
    await file.close();
  }
}

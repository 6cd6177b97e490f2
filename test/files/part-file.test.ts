import { describe, expect, it } from 'vitest';
import type { Files } from '../../src/core/platform/platform.js';
import { partFileWriter } from '../../src/core/files/part-file.js';

/** A disk that has taken each chunk, its memory included, before its write has resolved. */
const quickDisk = () => {
  const written: Uint8Array[] = [];
  const files: Files = {
    folder: (path) => Promise.resolve(path),
    create: () =>
      Promise.resolve({
        write: (chunk) => {
          const { buffer, byteOffset, byteLength } = chunk;
          written.push(
            new Uint8Array(
              structuredClone(buffer, { transfer: [buffer as ArrayBuffer] }),
              byteOffset,
              byteLength,
            ),
          );
          return Promise.resolve();
        },
        commit: () => Promise.resolve('/a.png'),
        discard: () => Promise.resolve(),
      }),
    open: () => Promise.reject(new Error('nobody opens it')),
  };
  return { files, text: () => Buffer.concat(written).toString() };
};

/** A piece as Node's HTTP client gives it: a `Buffer` that is its whole memory. */
const piece = (text: string): Buffer => Buffer.from(new TextEncoder().encode(text).slice().buffer);

const nothing = (async function* (): AsyncGenerator<Uint8Array> {})();

describe('a part file', () => {
  it('knows its length and its first 64 bytes, although its chunks are gone', async () => {
    const { files, text } = quickDisk();
    const part = partFileWriter({ files, folder: '/', name: 'a.png', overwrite: false });
    await part.begin({ mediaType: 'image/png', body: nothing, discard: () => undefined });
    const chunks = ['one', '-'.repeat(60), 'two', 'six'].map(piece);
    for (const chunk of chunks) await part.write(chunk);
    expect(chunks.map(({ byteLength }) => byteLength)).toEqual([0, 0, 0, 0]);
    expect(part.bytes()).toBe(69);
    expect(Buffer.from(part.head()).toString()).toBe(`one${'-'.repeat(60)}t`);
    expect(text()).toBe(`one${'-'.repeat(60)}twosix`);
  });
});

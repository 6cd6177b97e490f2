import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { queueFiles } from '../../../src/server/queue/jobs/queue-files.js';
import type { StoredFile } from '../../../src/server/queue/store/redis-file-store.js';

/** The files of a queue in memory. */
const world = (kind: 'account' | 'servers' = 'servers') => {
  const kept = new Map<string, StoredFile>();
  const calls: string[] = [];
  const files = {
    has: (hash: string) => Promise.resolve(kept.has(hash)),
    put: (hash: string, file: StoredFile) => {
      calls.push(`put ${file.mediaType}`);
      kept.set(hash, file);
      return Promise.resolve();
    },
    get: (hash: string) => Promise.resolve(kept.get(hash)),
  };
  return { ...queueFiles(() => Promise.resolve({ kind, files } as never), 'q'), calls };
};

const bytes = new Uint8Array([1, 2, 3]);
const hash = createHash('sha256').update(bytes).digest('hex');

describe('the files of a queue over servers', () => {
  it('are kept once, by their bytes, whatever they are called', async () => {
    const { upload, viewUpload, calls } = world();
    const content = new Blob([bytes], { type: 'image/png' });
    expect(await upload({ content, filename: 'a.png' })).toEqual({
      ...{ name: `promptwire-${hash}.png`, subfolder: '', type: 'input' },
    });
    expect((await upload({ content: bytes, filename: 'b' })).name).toBe(`promptwire-${hash}`);
    expect(calls).toEqual(['put image/png']);
    const seen = await viewUpload(`promptwire-${hash}.jpg`);
    expect([seen.type, new Uint8Array(await seen.arrayBuffer())]).toEqual(['image/png', bytes]);
  });

  it('are bytes where they do not say what they are', async () => {
    const { upload, calls } = world();
    await upload({ content: new Blob([bytes]), filename: 'a' });
    await upload({ content: new Uint8Array([4]), filename: 'b' });
    expect(calls).toEqual(['put application/octet-stream', 'put application/octet-stream']);
  });

  it('are refused above 256 MiB, before their bytes are read', async () => {
    const { upload, calls } = world();
    const large = (size: number) =>
      Object.defineProperties(new Blob([bytes]), {
        size: { value: size },
        arrayBuffer: { value: () => Promise.resolve(bytes.buffer) },
      });
    const filename = 'film.mp4';
    await expect(upload({ content: large(2 ** 28 + 1), filename })).rejects.toMatchObject({
      ...{ _tag: 'TooLarge', message: expect.stringContaining('film.mp4 has 268435457 bytes') as string },
    });
    expect(calls).toEqual([]);
    await upload({ content: large(2 ** 28), filename });
    expect(calls).toHaveLength(1);
  });

  it('are not found by another name, or by a hash that the queue has not got', async () => {
    const { viewUpload } = world();
    for (const name of ['a.png', `promptwire-${hash}.png`])
      await expect(viewUpload(name)).rejects.toMatchObject({ _tag: 'NotFound' });
  });

  it('are none of a queue over an account', async () => {
    const { upload, viewUpload } = world('account');
    await expect(upload({ content: bytes, filename: 'a' })).rejects.toMatchObject({ _tag: 'NotSupported' });
    await expect(viewUpload(`promptwire-${hash}`)).rejects.toMatchObject({ _tag: 'NotSupported' });
  });
});

import type { AssetRecord } from '../../../src/server/gateway/ports/asset-index.js';
import { assetOfHash } from '../../../src/server/gateway/v2/asset-of-hash.js';
import { describe, expect, it } from 'vitest';
import { memoryAssetIndex } from '../../../src/server/gateway/store/memory-asset-index.js';

const hash = `blake3:${'a'.repeat(64)}`;
const none = {
  ...{ filePath: undefined, contentType: undefined, expectedHash: undefined, expiresInMs: undefined },
};

const recordOf = (id: string, more: Partial<AssetRecord> = {}): AssetRecord => ({
  ...{ id, owner: 'ann', client: 'one', hash, sizeBytes: 3, contentType: 'image/png', createdAt: 1 },
  ...{ stored: { name: `${id}.png`, subfolder: '', type: 'input' }, ...more },
});

/** The index with these uploads of the same bytes, the newest last, and what is asked for again at 100. */
const withUploads = async (...records: readonly AssetRecord[]) => {
  const index = memoryAssetIndex({ now: () => 100 });
  for (const record of records) await index.put(record);
  const ask = (fields: Partial<typeof none | Parameters<typeof assetOfHash>[3]> = {}, of = hash) =>
    assetOfHash({ index, now: () => 100 }, { name: 'ann' }, of, { ...none, ...fields });
  return { index, ask };
};

describe('an asset of bytes that the caller has uploaded before', () => {
  it('is the one of the same path', async () => {
    const [older, newest] = [recordOf('a', { filePath: 'a.png' }), recordOf('b', { filePath: 'b.png' })];
    const { ask, index } = await withUploads(older, newest);
    expect(await ask({ filePath: 'a.png', contentType: 'image/webp' })).toEqual({
      record: older,
      isNew: false,
    });
    expect(await ask({ filePath: 'b.png' })).toEqual({ record: newest, isNew: false });
    expect(await index.byHash('ann', hash)).toHaveLength(2);
  });

  it('is a new one with the bytes of the newest where none has its path', async () => {
    const newest = recordOf('b', { client: 'two', expiresAt: 900 });
    const { ask, index } = await withUploads(recordOf('a'), newest);
    const made = (await ask({ filePath: 'c.png', expiresInMs: 50 }))!;
    const { id, ...record } = made.record;
    expect([made.isNew, record]).toEqual([
      true,
      {
        ...{ owner: 'ann', client: 'two', hash, sizeBytes: 3, stored: newest.stored, createdAt: 100 },
        ...{ contentType: 'image/png', filePath: 'c.png', expiresAt: 150 },
      },
    ]);
    expect(await index.get('ann', id)).toEqual(made.record);
    const { ask: askAgain } = await withUploads(recordOf('a', { filePath: 'a.png' }));
    const bare = (await askAgain({ contentType: 'image/webp' }))!;
    expect(bare).toMatchObject({ isNew: true, record: { contentType: 'image/webp' } });
    expect([Object.hasOwn(bare.record, 'filePath'), Object.hasOwn(bare.record, 'expiresAt')]).toEqual([
      ...[false, false],
    ]);
  });

  it.each([
    ['a longer life counts', 150, 51, 151],
    ['one as long changes nothing', 150, 50, 150],
    ['a shorter one does not count', 150, 49, 150],
    ['nor does none', 150, undefined, 150],
    ['one that never ends stays so', undefined, 51, undefined],
  ])('lives as long as the longest of its uploads says: %s', async (_, expiresAt, expiresInMs, after) => {
    const { ask, index } = await withUploads(recordOf('a', expiresAt === undefined ? {} : { expiresAt }));
    const made = await ask({ expiresInMs });
    expect([made?.isNew, made?.record.expiresAt]).toEqual([false, after]);
    expect((await index.get('ann', 'a'))?.expiresAt).toBe(after);
  });

  it('is none of bytes that the caller has not uploaded', async () => {
    const { ask } = await withUploads(recordOf('a', { owner: 'bob' }));
    expect(await ask()).toBeUndefined();
  });
});

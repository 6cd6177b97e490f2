import type { AssetIndex, AssetRecord } from '../../../src/server/gateway/ports/asset-index.js';
import { expect, it } from 'vitest';
import { webhookKinds } from '../../../src/core/events/webhook-kinds.js';
import type { WebhookRecord, WebhookStore } from '../../../src/server/gateway/ports/webhook-store.js';

const asset = (id: string, more: Partial<AssetRecord> = {}): AssetRecord => ({
  ...{ id, owner: 'alice', client: 'default', hash: 'blake3:a', sizeBytes: 3, contentType: 'image/png' },
  ...{ createdAt: 1, stored: { name: `${id}.png`, subfolder: '', type: 'input' } },
  ...more,
});

/** What every index of uploaded files is; it is opened again where it is kept. */
export const isAnAssetIndex = (
  open: (
    now: () => number,
    maxAssets?: number,
  ) => Promise<{ index: AssetIndex; again: () => Promise<AssetIndex> }>,
): void => {
  it('finds the files of an owner by id and by their bytes, until they expire', async () => {
    let now = 5;
    const { index, again } = await open(() => now);
    await index.put(asset('a'));
    await index.put(asset('b', { expiresAt: 9 }));
    await index.put(asset('c'));
    await index.put(asset('d', { owner: 'bob' }));
    await index.remove('bob', 'a');
    await index.remove('alice', 'c');
    await index.put(asset('b', { expiresAt: 10 }));
    const kept = await again();
    expect((await kept.byHash('alice', 'blake3:a')).map(({ id }) => id)).toEqual(['b', 'a']);
    expect(await kept.get('alice', 'a')).toEqual(asset('a'));
    expect([await kept.get('bob', 'a'), await kept.get('alice', 'c')]).toEqual([undefined, undefined]);
    now = 10;
    expect(await kept.get('alice', 'b')).toBeUndefined();
    expect((await kept.byHash('alice', 'blake3:a')).map(({ id }) => id)).toEqual(['a']);
    // The next upload forgets what is past its time.
    await kept.put(asset('e', { hash: 'blake3:e' }));
    now = 9;
    expect(await kept.get('alice', 'b')).toBeUndefined();
    await kept.close?.();
  });

  it('T4 forgets at its bound the oldest file of the owner that has most', async () => {
    const { index } = await open(() => 0, 4);
    await index.put(asset('of bob', { owner: 'bob' }));
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) await index.put(asset(id));
    expect((await index.byHash('bob', 'blake3:a')).map(({ id }) => id)).toEqual(['of bob']);
    expect((await index.byHash('alice', 'blake3:a')).map(({ id }) => id)).toEqual(['f', 'e', 'd']);
    await index.remove('alice', 'f');
    for (const owner of ['carol', 'dave']) await index.put(asset(`of ${owner}`, { owner }));
    expect((await index.byHash('alice', 'blake3:a')).map(({ id }) => id)).toEqual(['e']);
    expect((await index.byHash('bob', 'blake3:a')).map(({ id }) => id)).toEqual(['of bob']);
    await index.close?.();
  });

  it('forgets the oldest files at its bound', async () => {
    const { index } = await open(() => 0, 2);
    for (const id of ['a', 'b', 'c']) await index.put(asset(id));
    await index.put(asset('b'));
    await index.put(asset('d'));
    expect((await index.byHash('alice', 'blake3:a')).map(({ id }) => id)).toEqual(['d', 'b']);
    await index.close?.();
  });
};

const hook = (owner: string, more: Partial<WebhookRecord> = {}): WebhookRecord => ({
  ...{ owner, url: 'https://target.example/', events: webhookKinds, secrets: ['whsec_x'] },
  ...{ createdAt: 1, from: 'a-0', ...more },
});

/** What every store of webhooks is; it is opened again where it is kept. */
export const isAWebhookStore = (
  open: () => Promise<{ store: WebhookStore; again: () => Promise<WebhookStore> }>,
): void => {
  it('keeps webhooks and how far the messages of their jobs are', async () => {
    const { store, again } = await open();
    await store.put(hook('alice'));
    await store.put(hook('bob'));
    await store.progressed('alice', 'gone', { position: 'a-1' });
    for (let at = 1; at <= 9; at += 1) await store.progressed('alice', 'a', { position: `a-${at}` });
    await store.progressed('nobody', 'a', { position: 'a-1' });
    await store.forget('alice', 'gone');
    await store.put(hook('alice', { parked: { at: 2, reason: 'it answered 410: it is gone' } }));
    await store.progressed('bob', 'b', { position: 'b-1' });
    await store.remove('bob');
    const kept = await again();
    expect(await kept.all()).toEqual([
      {
        record: hook('alice', { parked: { at: 2, reason: 'it answered 410: it is gone' } }),
        progress: new Map([['a', { position: 'a-9' }]]),
      },
    ]);
    // What the owner had been sent is not known of a later webhook.
    await kept.put(hook('bob'));
    expect((await kept.all()).map(({ progress }) => progress.size)).toEqual([1, 0]);
    await kept.close?.();
  });
};

import type { AssetIndex, AssetRecord } from '../ports/asset-index.js';
import { below, keyOf, partsOf } from './keys.js';
import type { Change } from './change.js';
import { assetShares, biggestHolders, changeShare } from './shares.js';
import type { Store } from './store.js';
import { get, getMany, type View } from './view.js';

/** The bound of an asset index. */
export interface AssetIndexLimits {
  /** Assets of all callers together; default 100,000. At the bound the oldest of the caller with most are forgotten. */
  readonly maxAssets?: number | undefined;
}

/** Below `asset!ID`: an uploaded file. */
export interface StoredAsset {
  readonly record: AssetRecord;
  /** Its place among all assets, in the order in which they were put. */
  readonly place: number;
}

/** Below `total!assets`: what the index holds. */
export interface AssetTotals {
  readonly assets: number;
  /** The place of the newest one. */
  readonly place: number;
}

export const noAssets: AssetTotals = { assets: 0, place: 0 };
export const assetTotalKey = keyOf('total', 'assets');
export const assetKey = (id: string): string => keyOf('asset', id);

/** The keys that lead to an asset: by its owner, by its bytes, and by its end; their values say nothing. */
export const assetIndexKeys = ({
  record: { id, owner, hash, expiresAt },
  place,
}: StoredAsset): readonly string[] => [
  keyOf('asset-of', owner, place, id),
  ...(hash === undefined ? [] : [keyOf('asset-hash', owner, hash, place, id)]),
  ...(expiresAt === undefined ? [] : [keyOf('asset-expiry', expiresAt, id)]),
];

/** Keeps which files callers uploaded in a store (docs/stores.md); `now` gives milliseconds since 1970. */
export const assetIndexIn = (
  store: Store,
  now: () => number,
  { maxAssets = 100_000 }: AssetIndexLimits = {},
): AssetIndex => {
  const isAlive = ({ expiresAt }: AssetRecord): boolean => (expiresAt ?? Infinity) > now();
  return {
    put: (record) =>
      store.change(async (change) => {
        await forget(change, record.id);
        const totals = await totalsOf(change);
        const asset: StoredAsset = { record, place: totals.place + 1 };
        change.put(assetKey(record.id), asset);
        for (const key of assetIndexKeys(asset)) change.put(key, null);
        change.put(assetTotalKey, { assets: totals.assets + 1, place: asset.place } satisfies AssetTotals);
        await changeShare(change, assetShares, record.owner, { assets: 1 });
        await forgetExpired(change, now());
        await makeRoom(change, maxAssets);
      }),
    get: async (owner, id) => {
      const asset = await store.read((view) => get<StoredAsset>(view, assetKey(id)));
      return asset?.record.owner === owner && isAlive(asset.record) ? asset.record : undefined;
    },
    byHash: (owner, hash) =>
      store.read(async (view) => {
        const range = { ...below('asset-hash', owner, hash), reverse: true };
        const ids = (await view.page({ ...range, limit: maxAssets })).map(([key]) => idAt(key));
        const assets = await getMany<StoredAsset>(view, ids.map(assetKey));
        return assets.flatMap((asset) =>
          asset !== undefined && isAlive(asset.record) ? [asset.record] : [],
        );
      }),
    remove: (owner, id) =>
      store.change(async (change) => {
        const asset = await get<StoredAsset>(change, assetKey(id));
        if (asset?.record.owner === owner) await forget(change, id);
      }),
  };
};

const idAt = (key: string): string => partsOf(key)?.at(-1) ?? '';

const totalsOf = async (view: View): Promise<AssetTotals> =>
  (await get<AssetTotals>(view, assetTotalKey)) ?? noAssets;

const forget = async (change: Change, id: string): Promise<void> => {
  const asset = await get<StoredAsset>(change, assetKey(id));
  if (asset === undefined) return;
  change.remove(assetKey(id));
  for (const key of assetIndexKeys(asset)) change.remove(key);
  await changeShare(change, assetShares, asset.record.owner, { assets: -1 });
  const totals = await totalsOf(change);
  change.put(assetTotalKey, { ...totals, assets: totals.assets - 1 } satisfies AssetTotals);
};

/** Each upload forgets some that are past their time. */
const forgetExpired = async (change: Change, now: number): Promise<void> => {
  const { gte = '' } = below('asset-expiry');
  for (const [key] of await change.page({ gte, lt: keyOf('asset-expiry', now + 1), limit: 100 })) {
    await forget(change, idAt(key));
    change.remove(key);
  }
};

/** Forgets the oldest assets of the caller that has most. */
const makeRoom = async (change: Change, maxAssets: number): Promise<void> => {
  while ((await totalsOf(change)).assets > maxAssets) {
    const oldest = await oldestOfBiggest(change);
    if (oldest === undefined) return;
    await forget(change, idAt(oldest));
    change.remove(oldest);
  }
};

const oldestOfBiggest = async (view: View): Promise<string | undefined> => {
  for await (const owner of biggestHolders(view, assetShares, 'assets')) {
    const [oldest] = await view.page({ ...below('asset-of', owner), limit: 1 });
    if (oldest !== undefined) return oldest[0];
  }
  return undefined;
};

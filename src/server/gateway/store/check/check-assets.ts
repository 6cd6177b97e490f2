import {
  assetIndexKeys,
  type AssetTotals,
  assetTotalKey,
  noAssets,
  type StoredAsset,
} from '../asset-index.js';
import { compareKeys, compareValue, type Repairs, valuesOf } from './repairs.js';
import { assetShares } from '../shares.js';
import { below } from '../keys.js';
import { checkShares } from './check-shares.js';
import { get, type View } from '../view.js';

/** Checks the tables of assets, whose lists and totals follow from the assets. */
export const checkAssets = async (view: View, repairs: Repairs): Promise<void> => {
  const assets: StoredAsset[] = [];
  for await (const [, asset] of valuesOf<StoredAsset>(view, repairs, below('asset'))) assets.push(asset);
  const expected = assets.flatMap(assetIndexKeys);
  for (const table of ['asset-of', 'asset-hash', 'asset-expiry'] as const) {
    const own = expected.filter((key) => key.startsWith(`${table}!`));
    await compareKeys(view, repairs, table, new Set(own));
  }
  const held = assets.map(({ record: { owner } }) => ({ owner, share: { assets: 1 } }));
  await checkShares(view, repairs, assetShares, held);
  const known = await get<AssetTotals>(view, assetTotalKey);
  const totals: AssetTotals = {
    assets: assets.length,
    place: assets.reduce((last, { place }) => Math.max(last, place), known?.place ?? 0),
  };
  await compareValue(view, repairs, assetTotalKey, totals, noAssets);
};

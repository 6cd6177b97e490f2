import type { AssetIndex } from './asset-index.js';
import { type AssetIndexLimits, assetTable } from './asset-table.js';

/** Options of {@link memoryAssetIndex}. */
export interface MemoryAssetIndexOptions extends AssetIndexLimits {
  /** The clock, in milliseconds since 1970. */
  readonly now: () => number;
}

/** Makes an {@link AssetIndex} in memory: a restart forgets it, so callers upload again. */
export const memoryAssetIndex = ({ now, ...limits }: MemoryAssetIndexOptions): AssetIndex => {
  const table = assetTable(now, limits);
  return {
    put: (record) => {
      table.put(record);
      return Promise.resolve();
    },
    get: (owner, id) => Promise.resolve(table.get(owner, id)),
    byHash: (owner, hash) => Promise.resolve(table.byHash(owner, hash)),
    remove: (owner, id) => {
      if (table.get(owner, id) !== undefined) table.forget(id);
      return Promise.resolve();
    },
  };
};

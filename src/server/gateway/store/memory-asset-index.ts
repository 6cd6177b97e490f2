import type { AssetIndex } from '../ports/asset-index.js';
import { assetIndexIn, type AssetIndexLimits } from './asset-index.js';
import { memoryStore } from './memory-store.js';

/** Options of {@link memoryAssetIndex}. */
export interface MemoryAssetIndexOptions extends AssetIndexLimits {
  /** The clock, in milliseconds since 1970. */
  readonly now: () => number;
}

/** Makes an {@link AssetIndex} in memory: a restart forgets it, so callers upload again. */
export const memoryAssetIndex = ({ now, ...limits }: MemoryAssetIndexOptions): AssetIndex =>
  assetIndexIn(memoryStore(), now, limits);

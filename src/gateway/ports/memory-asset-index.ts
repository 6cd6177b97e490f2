import type { AssetIndex, AssetRecord } from './asset-index.js';

/** Options of {@link memoryAssetIndex}. */
export interface MemoryAssetIndexOptions {
  /** Records of all callers together; default 100,000. At the bound the oldest ones are forgotten. */
  readonly maxRecords?: number;
  /** The clock, in milliseconds since 1970. */
  readonly now: () => number;
}

/** Makes an {@link AssetIndex} in memory: a restart forgets it, so callers upload again. */
export const memoryAssetIndex = ({ maxRecords = 100_000, now }: MemoryAssetIndexOptions): AssetIndex => {
  /** In the order of their creation. */
  const records = new Map<string, AssetRecord>();
  const byHash = new Map<string, Set<string>>();
  const keyOf = (owner: string, hash: string): string => `${hash} ${owner}`;

  const forget = (id: string): void => {
    const record = records.get(id);
    records.delete(id);
    if (record?.hash === undefined) return;
    const key = keyOf(record.owner, record.hash);
    const ids = byHash.get(key);
    ids?.delete(id);
    if (ids?.size === 0) byHash.delete(key);
  };
  const alive = (id: string): AssetRecord | undefined => {
    const record = records.get(id);
    if (record === undefined || (record.expiresAt ?? Infinity) > now()) return record;
    forget(id);
    return undefined;
  };

  return {
    put: (record) => {
      const { id, owner, hash } = record;
      forget(id);
      records.set(id, record);
      if (hash !== undefined) {
        const key = keyOf(owner, hash);
        byHash.set(key, (byHash.get(key) ?? new Set()).add(id));
      }
      for (const oldest of records.keys()) {
        if (records.size <= maxRecords) break;
        forget(oldest);
      }
      return Promise.resolve();
    },
    get: (owner, id) => {
      const record = alive(id);
      return Promise.resolve(record?.owner === owner ? record : undefined);
    },
    byHash: (owner, hash) => {
      const ids = [...(byHash.get(keyOf(owner, hash)) ?? [])];
      return Promise.resolve(
        ids
          .map(alive)
          .filter((record) => record !== undefined)
          .reverse(),
      );
    },
    remove: (owner, id) => {
      if (records.get(id)?.owner === owner) forget(id);
      return Promise.resolve();
    },
  };
};

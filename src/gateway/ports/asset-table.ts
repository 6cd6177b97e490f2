import type { AssetRecord } from './asset-index.js';

/** The bound of an asset index. */
export interface AssetIndexLimits {
  /** Assets of all callers together; default 100,000. At the bound the oldest ones are forgotten. */
  readonly maxAssets?: number | undefined;
}

/** Uploaded files in memory, the common part of every {@link AssetIndex}. */
export interface AssetTable {
  /** Adds a record, or replaces the one with its id, which it gives. */
  readonly put: (record: AssetRecord) => AssetRecord | undefined;
  readonly get: (owner: string, id: string) => AssetRecord | undefined;
  readonly byHash: (owner: string, hash: string) => readonly AssetRecord[];
  readonly forget: (id: string) => void;
  /** Those that have not expired, the oldest first. */
  readonly records: () => readonly AssetRecord[];
  readonly size: () => number;
}

/** Makes an {@link AssetTable}; `now` gives milliseconds since 1970. */
export const assetTable = (now: () => number, { maxAssets = 100_000 }: AssetIndexLimits = {}): AssetTable => {
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
      const before = records.get(id);
      forget(id);
      records.set(id, record);
      if (hash !== undefined) {
        const key = keyOf(owner, hash);
        byHash.set(key, (byHash.get(key) ?? new Set()).add(id));
      }
      for (const oldest of records.keys()) {
        if (records.size <= maxAssets) break;
        forget(oldest);
      }
      return before;
    },
    get: (owner, id) => {
      const record = alive(id);
      return record?.owner === owner ? record : undefined;
    },
    byHash: (owner, hash) =>
      [...(byHash.get(keyOf(owner, hash)) ?? [])]
        .map(alive)
        .filter((record) => record !== undefined)
        .reverse(),
    forget,
    records: () => [...records.keys()].map(alive).filter((record) => record !== undefined),
    size: () => records.size,
  };
};

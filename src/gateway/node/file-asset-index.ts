import type { AssetIndex, AssetRecord } from '../ports/asset-index.js';
import { type AssetIndexLimits, assetTable } from '../ports/asset-table.js';
import { type JournalOptions, openJournal } from './file-journal.js';

type AssetLine = { readonly put: AssetRecord } | { readonly remove: string };

/** Opens an {@link AssetIndex} in a file of a folder that this process has for itself. */
export const fileAssetIndex = async (
  path: string,
  now: () => number,
  options: JournalOptions & AssetIndexLimits,
): Promise<AssetIndex> => {
  const table = assetTable(now, options);
  const journal = await openJournal(
    path,
    (value) => {
      const line = value as AssetLine;
      if ('put' in line) table.put(line.put);
      else table.forget(line.remove);
    },
    options,
  );
  const write = async (line: AssetLine): Promise<void> => {
    await journal.append([line]);
    if (journal.isStale(table.size())) await journal.compact(table.records().map((put) => ({ put })));
  };
  return {
    put: async (record) => {
      const before = table.put(record);
      try {
        await write({ put: record });
      } catch (error) {
        if (before === undefined) table.forget(record.id);
        else table.put(before);
        throw error;
      }
    },
    get: (owner, id) => Promise.resolve(table.get(owner, id)),
    byHash: (owner, hash) => Promise.resolve(table.byHash(owner, hash)),
    remove: async (owner, id) => {
      const record = table.get(owner, id);
      if (record === undefined) return;
      table.forget(id);
      try {
        await write({ remove: id });
      } catch (error) {
        table.put(record);
        throw error;
      }
    },
    close: journal.close,
  };
};

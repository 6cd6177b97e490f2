import type { AssetFields } from './asset-fields.js';
import type { AssetIndex, AssetRecord } from '../ports/asset-index.js';
import type { JobOwner } from '../model/gateway-jobs.js';

/** An asset that was asked for, and whether its bytes are new to the caller's. */
export interface MadeAsset {
  readonly record: AssetRecord;
  readonly isNew: boolean;
}

/** The index of the uploads, and the clock, in milliseconds since 1970. */
export interface HashContext {
  readonly index: AssetIndex;
  readonly now: () => number;
}

/**
 * Gives an asset of bytes that the caller has uploaded before, undefined if no upload has this hash.
 *
 * It is the one of the same `filePath`, whose life becomes the longer one of both, or a new one that shares the bytes.
 */
export const assetOfHash = async (
  { index, now }: HashContext,
  owner: JobOwner,
  hash: string,
  { filePath, contentType, expiresInMs }: AssetFields,
): Promise<MadeAsset | undefined> => {
  const [newest, ...older] = await index.byHash(owner.name, hash);
  if (newest === undefined) return undefined;
  const expiresAt = expiresInMs === undefined ? undefined : now() + expiresInMs;
  const same = [newest, ...older].find((record) => record.filePath === filePath);
  if (same === undefined) {
    const { client, sizeBytes, stored } = newest;
    const record: AssetRecord = {
      ...{ owner: owner.name, client, hash, sizeBytes, stored },
      id: crypto.randomUUID(),
      createdAt: now(),
      contentType: contentType ?? newest.contentType,
      ...(filePath !== undefined && { filePath }),
      ...(expiresAt !== undefined && { expiresAt }),
    };
    await index.put(record);
    return { record, isNew: true };
  }
  if (expiresAt !== undefined && same.expiresAt !== undefined && expiresAt > same.expiresAt) {
    const longer = { ...same, expiresAt };
    await index.put(longer);
    return { record: longer, isNew: false };
  }
  return { record: same, isNew: false };
};

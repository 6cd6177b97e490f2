import { asJsonObject } from '../http/request.js';
import type { Asset, AssetStore } from './asset-store.js';
import type { FileStore } from '../store/file-store.js';

/** A workflow whose references to assets are replaced by names of files in the engine. */
export interface ResolvedWorkflow {
  readonly workflow: unknown;
  /** Ids that name no asset of the account; empty text for a reference without an id. */
  readonly missing: readonly string[];
  readonly assets: readonly Asset[];
}

/**
 * Puts the file of each `{ "__type": "core/ASSET", "info": { "id" } }` into the engine's store, and its name in its place.
 *
 * References may stand anywhere in the inputs of a node.
 */
export const resolveReferences = (
  workflow: unknown,
  assets: Pick<AssetStore, 'get'>,
  files: Pick<FileStore, 'upload'>,
): ResolvedWorkflow => {
  const missing: string[] = [];
  const found = new Map<string, Asset>();

  const replace = (value: unknown, depth = 0): unknown => {
    if (typeof value !== 'object' || value === null || depth > DEEPEST) return value;
    if (Array.isArray(value)) return value.map((member) => replace(member, depth + 1));
    if (!('__type' in value) || value.__type !== 'core/ASSET') {
      return Object.fromEntries(
        Object.entries(value).map(([name, member]) => [name, replace(member, depth + 1)]),
      );
    }
    const id = idOf('info' in value ? value.info : undefined);
    const asset = id === undefined ? undefined : assets.get(id);
    if (!asset) {
      missing.push(id ?? '');
      return value;
    }
    found.set(asset.id, asset);
    const place = { type: 'input', subfolder: '', overwrite: true } as const;
    return files.upload({ bytes: asset.bytes, filename: engineName(asset), ...place }).filename;
  };
  return { workflow: replace(workflow), missing, assets: [...found.values()] };
};

/** No input nests deeper; a hostile text may. */
const DEEPEST = 100;

const idOf = (info: unknown): string | undefined => {
  const id = asJsonObject(info)?.['id'];
  return typeof id === 'string' ? id : undefined;
};

/** A name that no file name of a client can influence beyond its extension. */
const engineName = ({ id, filePath = '' }: Asset): string => {
  const [extension = ''] = /\.[A-Za-z0-9]{1,8}$/.exec(filePath) ?? [];
  return `${id}${extension}`;
};

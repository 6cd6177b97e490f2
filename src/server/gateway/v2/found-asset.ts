import type { AssetRecord } from '../ports/asset-index.js';
import type { FileRef } from '../../../core/protocol/file-ref.js';
import type { GatewayJob } from '../model/gateway-jobs.js';
import type { JobOutput } from './output-documents.js';

/** An asset of a caller: a file that was uploaded, or the output of a job. */
export type FoundAsset =
  | { readonly _tag: 'upload'; readonly record: AssetRecord }
  | { readonly _tag: 'output'; readonly job: GatewayJob; readonly output: JobOutput };

/** What the service calls the file of an asset. */
export const serviceFileOf = (asset: FoundAsset): FileRef => {
  if (asset._tag === 'output') return asset.output.file;
  const { name, subfolder, type, asset: kept } = asset.record.stored;
  return { filename: name, subfolder, type, ...(kept !== undefined && { asset: kept }) };
};

import type { AssetRecord } from '../ports/asset-index.js';
import type { FileRef, UploadedFile } from '../../../core/protocol/file-ref.js';
import type { GatewayJob } from '../model/gateway-jobs.js';
import type { JobOutput } from './output-documents.js';

/** An asset of a caller: a file that was uploaded, or the output of a job. */
export type FoundAsset =
  | { readonly _tag: 'upload'; readonly record: AssetRecord }
  | { readonly _tag: 'output'; readonly job: GatewayJob; readonly output: JobOutput };

/** What the service calls the file of an asset. */
export const serviceFileOf = (asset: FoundAsset): FileRef => {
  if (asset._tag === 'output') return asset.output.file;
  return refOf(asset.record.stored);
};

/** An uploaded file as calls name it. */
export const refOf = ({ name, subfolder, type, asset }: UploadedFile): FileRef => ({
  ...{ filename: name, subfolder, type },
  ...(asset !== undefined && { asset }),
});

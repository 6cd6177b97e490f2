import type { AssetRecord } from '../ports/asset-index.js';
import type { GatewayJob } from '../model/gateway-jobs.js';
import type { JobOutput } from './output-documents.js';

/** An asset of a caller: a file that was uploaded, or the output of a job. */
export type FoundAsset =
  | { readonly _tag: 'upload'; readonly record: AssetRecord }
  | { readonly _tag: 'output'; readonly job: GatewayJob; readonly output: JobOutput };

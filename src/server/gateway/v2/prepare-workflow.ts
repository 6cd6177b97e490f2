import type { Refusal } from '../http/refusal.js';
import { type Either, left, right } from '../../../core/protocol/either.js';
import type { FileRef, UploadedFile } from '../../../core/protocol/file-ref.js';
import type { KeptSubmission } from '../../joblog/job-index.js';
import type { FoundAsset } from './found-asset.js';
import { referencesOf, resolveReferences } from './references.js';
import { refusal } from './refusal.js';
import type { Workflow } from '../../../core/protocol/workflow.js';

/** A workflow as the service takes it, and which client has its files. */
export interface PreparedWorkflow {
  readonly workflow: Workflow;
  readonly client: string | undefined;
  /** The files that it names, and the servers that have them where only one has. */
  readonly files: NonNullable<KeptSubmission['files']>;
}

/** Puts the files of a caller in the place of references to assets; refuses those that are missing, or with different services. */
export const prepareWorkflow = async (
  find: (id: string) => Promise<FoundAsset | undefined>,
  workflow: Workflow,
): Promise<Either<Refusal, PreparedWorkflow>> => {
  const ids = referencesOf(workflow);
  if (ids.length === 0) return right({ workflow, client: undefined, files: [] });
  const found = new Map<string, UploadedFile | FileRef>();
  const files: PlacedFile[] = [];
  let client: string | undefined;
  for (const id of ids) {
    const asset = await find(id);
    if (asset === undefined) continue;
    const own = asset._tag === 'upload' ? asset.record.client : asset.job.record.client;
    client ??= own;
    // A service can't read what another one has.
    if (own !== client) return left(assetsApart);
    files.push(placedFile(asset));
    found.set(id, asset._tag === 'upload' ? asset.record.stored : asset.output.file);
  }
  const resolved = resolveReferences(workflow, found);
  return resolved.missing.length === 0
    ? right({ workflow: resolved.workflow, client, files })
    : left(
        refusal(422, 'missing_asset', 'The workflow refers to assets that do not exist.', {
          details: { missing_ids: resolved.missing },
        }),
      );
};

type PlacedFile = PreparedWorkflow['files'][number];

/** An output stands on the server that ran its job. */
const placedFile = (asset: FoundAsset): PlacedFile => {
  if (asset._tag === 'upload') return { file: asset.record.stored };
  const { filename: name, subfolder = '', type = 'output' } = asset.output.file;
  return { file: { name, subfolder, type }, server: asset.job.record.place?.server };
};

const assetsApart = refusal(
  422,
  'assets_apart',
  'The assets of the workflow are with different services behind this gateway: upload them again, then submit with those.',
);

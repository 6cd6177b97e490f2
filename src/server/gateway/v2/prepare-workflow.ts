import type { Refusal } from '../http/refusal.js';
import type { Clock } from '../../../core/platform/platform.js';
import { type Either, isLeft, left, right } from '../../../core/protocol/either.js';
import type { FileRef, UploadedFile } from '../../../core/protocol/file-ref.js';
import type { KeptSubmission } from '../../joblog/job-index.js';
import type { FoundAsset } from './found-asset.js';
import { referencesOf, resolveReferences } from './references.js';
import { refusal, refusalOf } from './refusal.js';
import type { ServiceError } from '../../../core/errors/errors.js';
import { sliceOf } from '../../../core/platform/in-slices.js';
import { turnForLarge } from '../../joblog/turn-for-large.js';
import type { Workflow } from '../../../core/protocol/workflow.js';

/** A workflow as the service takes it, and which client has its files. */
export interface PreparedWorkflow {
  readonly workflow: Workflow;
  readonly client: string | undefined;
  /** The files that it names, and the servers that have them where only one has. */
  readonly files: NonNullable<KeptSubmission['files']>;
}

/** Where the assets of a caller are. */
export interface AssetSource {
  readonly find: (id: string) => Promise<FoundAsset | undefined>;
  /** Keeps an output where jobs on any server find it, and says what it is called there; Right undefined if they do so anyway. */
  readonly bring?: (
    asset: Extract<FoundAsset, { readonly _tag: 'output' }>,
  ) => Promise<Either<ServiceError, UploadedFile | undefined>>;
  readonly clock: Pick<Clock, 'now' | 'after'>;
}

/** Puts the files of a caller in the place of references to assets; refuses those that are missing, or with different services. */
export const prepareWorkflow = async (
  { find, bring, clock }: AssetSource,
  workflow: Workflow,
): Promise<Either<Refusal, PreparedWorkflow>> => {
  const ids = referencesOf(workflow);
  if (ids.length === 0) return right({ workflow, client: undefined, files: [] });
  const found = new Map<string, UploadedFile | FileRef>();
  const files: PlacedFile[] = [];
  let client: string | undefined;
  // An index in memory answers in the same turn.
  const slice = sliceOf(clock);
  for (const id of ids) {
    if (slice.isOver()) await slice.next();
    const asset = await find(id);
    if (asset === undefined) continue;
    const own = asset._tag === 'upload' ? asset.record.client : asset.job.record.client;
    client ??= own;
    // A service can't read what another one has.
    if (own !== client) return left(assetsApart);
    const placed = await placedFile(asset, bring);
    if (isLeft(placed)) return left(refusalOf(placed.left));
    files.push(placed.right.kept);
    found.set(id, placed.right.file);
  }
  await turnForLarge(clock, workflow);
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

/** What the service calls the file of an asset, and what is kept of that; an output stands on the server that ran its job, unless it is brought. */
const placedFile = async (
  asset: FoundAsset,
  bring: AssetSource['bring'],
): Promise<Either<ServiceError, { readonly file: UploadedFile | FileRef; readonly kept: PlacedFile }>> => {
  if (asset._tag === 'upload')
    return right({ file: asset.record.stored, kept: { file: asset.record.stored } });
  const brought = await bring?.(asset);
  if (brought !== undefined && isLeft(brought)) return brought;
  if (brought?.right !== undefined) return right({ file: brought.right, kept: { file: brought.right } });
  const { file } = asset.output;
  const { filename: name, subfolder = '', type = 'output' } = file;
  return right({ file, kept: { file: { name, subfolder, type }, server: asset.job.record.place?.server } });
};

const assetsApart = refusal(
  422,
  'assets_apart',
  'The assets of the workflow are with different services behind this gateway: upload them again, then submit with those.',
);

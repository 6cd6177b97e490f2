import type { Refusal } from '../http/refusal.js';
import type { AssetFields } from './asset-fields.js';
import type { AssetIndex, AssetRecord } from '../ports/asset-index.js';
import { assetOfHash, type MadeAsset } from './asset-of-hash.js';
import type { Clock } from '../../../core/platform/platform.js';
import { type Either, isLeft, left, right } from '../../../core/protocol/either.js';
import { findOutput, jobOfOutput } from './output-documents.js';
import { type FoundAsset, refOf, serviceFileOf } from './found-asset.js';
import type { GatewayFiles } from './gateway-files.js';
import type { GatewayJobs, JobOwner } from '../model/gateway-jobs.js';
import { hashFile } from './hash-file.js';
import { isTerminal } from '../../../core/state/job-state.js';
import { type PreparedWorkflow, prepareWorkflow } from './prepare-workflow.js';
import { assetNotFound, refusal, refusalOf } from './refusal.js';
import { referencesOf } from './references.js';
import type { Workflow } from '../../../core/protocol/workflow.js';

/** The assets of all callers; that of another caller is unknown. */
export interface Assets {
  /** Stores a file once for each owner: bytes that are known are not sent again. */
  readonly store: (
    owner: JobOwner,
    file: File | Blob,
    fields: AssetFields,
  ) => Promise<Either<Refusal, MadeAsset>>;
  /** Has the service make a picture with the mask as its alpha channel of one of the owner's; it is an asset of its own. */
  readonly storeMask: (
    owner: JobOwner,
    mask: File | Blob,
    original: FoundAsset,
  ) => Promise<Either<Refusal, MadeAsset>>;
  /** Whether `ofHash` can make an asset of these bytes. */
  readonly hasHash: (owner: JobOwner, hash: string) => Promise<boolean>;
  readonly ofHash: (
    owner: JobOwner,
    hash: string,
    fields: AssetFields,
  ) => Promise<Either<Refusal, MadeAsset>>;
  readonly find: (owner: JobOwner, id: string) => Promise<FoundAsset | undefined>;
  /** Forgets an upload, unless a job that has not ended refers to it. */
  readonly remove: (owner: JobOwner, id: string) => Promise<Either<Refusal, void>>;
  /** Replaces references to assets; refuses those that the caller does not have. */
  readonly prepare: (owner: JobOwner, workflow: Workflow) => Promise<Either<Refusal, PreparedWorkflow>>;
  /** The same for a job that is submitted: the outputs that it names are where any server gets them. */
  readonly prepareJob: (owner: JobOwner, workflow: Workflow) => Promise<Either<Refusal, PreparedWorkflow>>;
}

/** The index of the uploads, and where the bytes and the outputs of jobs are. */
export interface AssetsOptions {
  readonly index: AssetIndex;
  readonly jobs: Pick<GatewayJobs, 'get' | 'list'>;
  readonly files: GatewayFiles;
  readonly hash?: (file: Blob) => Promise<string | undefined>;
  /** The clock, in milliseconds since 1970. */
  readonly now: () => number;
  /** By which long work is done in slices. */
  readonly clock: Pick<Clock, 'now' | 'after'>;
}

/** Makes the {@link Assets} of a gateway. */
export const createAssets = ({
  index,
  jobs,
  files,
  hash: hashOf = hashFile,
  now,
  clock,
}: AssetsOptions): Assets => {
  const find: Assets['find'] = async (owner, id) => {
    const jobId = jobOfOutput(id);
    if (jobId !== undefined) {
      const job = await jobs.get(owner, jobId);
      const output = job && findOutput(job, id);
      return job && output && { _tag: 'output', job, output };
    }
    const record = await index.get(owner.name, id);
    return record && { _tag: 'upload', record };
  };

  const bring = ({ job, output }: Extract<FoundAsset, { readonly _tag: 'output' }>) =>
    files.bring(job.record.client, output.file, job)();

  return {
    find,
    store: async (owner, file, fields) => {
      const hash = await hashOf(file);
      if (hash !== undefined && fields.expectedHash !== undefined && hash !== fields.expectedHash) {
        return left(refusal(409, 'hash_mismatch', 'The bytes have another hash than `expected_hash`.'));
      }
      const before = hash === undefined ? undefined : await assetOfHash({ index, now }, owner, hash, fields);
      if (before !== undefined) return right({ ...before, isNew: false });
      const id = crypto.randomUUID();
      const sent = await files.upload(owner, { content: file, filename: storedName(id, fields.filePath) })();
      if (isLeft(sent)) return left(refusalOfUpload(refusalOf(sent.left)));
      const record: AssetRecord = {
        id,
        owner: owner.name,
        client: sent.right.client,
        ...(hash !== undefined && { hash }),
        sizeBytes: file.size,
        contentType: fields.contentType ?? (file.type === '' ? 'application/octet-stream' : file.type),
        ...(fields.filePath !== undefined && { filePath: fields.filePath }),
        createdAt: now(),
        ...(fields.expiresInMs !== undefined && { expiresAt: now() + fields.expiresInMs }),
        stored: sent.right.file,
      };
      await index.put(record);
      return right({ record, isNew: true });
    },
    storeMask: async (owner, mask, original) => {
      const id = crypto.randomUUID();
      const client = original._tag === 'output' ? original.job.record.client : original.record.client;
      const source = { content: mask, filename: storedName(id, 'mask.png') };
      const brought = original._tag === 'output' ? await bring(original) : right(undefined);
      if (isLeft(brought)) return left(refusalOfUpload(refusalOf(brought.left)));
      const server = original._tag === 'output' ? original.job.record.place?.server : undefined;
      const picture = brought.right === undefined ? serviceFileOf(original) : refOf(brought.right);
      const sent = await files.uploadMask(client, source, picture, server)();
      if (isLeft(sent)) return left(refusalOfUpload(refusalOf(sent.left)));
      const record: AssetRecord = {
        ...{ id, owner: owner.name, client, stored: sent.right, createdAt: now() },
        // The service makes a PNG of both, whose size it does not tell.
        ...{ sizeBytes: mask.size, contentType: 'image/png', filePath: sent.right.name },
      };
      await index.put(record);
      return right({ record, isNew: true });
    },
    hasHash: async (owner, hash) => (await index.byHash(owner.name, hash)).length > 0,
    ofHash: async (owner, hash, fields) => {
      const made = await assetOfHash({ index, now }, owner, hash, fields);
      return made === undefined
        ? left(refusal(404, 'blob_not_found', 'None of your assets has this hash.'))
        : right(made);
    },
    remove: async (owner, id) => {
      const asset = await find(owner, id);
      if (asset === undefined) return left(assetNotFound);
      if (asset._tag === 'output' || (await isUsed(jobs, owner, id))) {
        return left(refusal(409, 'asset_in_use', 'A job uses the asset.'));
      }
      await index.remove(owner.name, id);
      return right(undefined);
    },
    prepare: (owner, workflow) => prepareWorkflow({ find: (id) => find(owner, id), clock }, workflow),
    prepareJob: (owner, workflow) =>
      prepareWorkflow({ find: (id) => find(owner, id), bring, clock }, workflow),
  };
};

/** A name of the gateway's own, which takes only the extension from the caller's name. */
const storedName = (id: string, filePath = ''): string => {
  const [extension = ''] = /\.[A-Za-z0-9]{1,8}$/u.exec(filePath) ?? [];
  return `${id}${extension}`;
};

/** An upload has no workflow that could be wrong. */
const refusalOfUpload = (refused: Refusal): Refusal =>
  refused.code === 'invalid_workflow' ? refusal(422, 'validation_error', refused.message) : refused;

const isUsed = async (jobs: Pick<GatewayJobs, 'list'>, owner: JobOwner, id: string): Promise<boolean> => {
  let after: string | undefined;
  do {
    const page = await jobs.list(owner, {
      phase: ['submitting', 'pending', 'in_progress'],
      after,
      limit: 100,
    });
    const isUsedHere = page?.jobs.some(
      ({ record, state }) => !isTerminal(state.phase) && referencesOf(record.workflow).includes(id),
    );
    if (isUsedHere === true) return true;
    after = page?.next;
  } while (after !== undefined);
  return false;
};

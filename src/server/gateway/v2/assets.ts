import type { Refusal } from '../http/refusal.js';
import type { AssetFields } from './asset-fields.js';
import type { AssetIndex, AssetRecord } from '../ports/asset-index.js';
import { type Either, isLeft, left, right } from '../../../core/protocol/either.js';
import { findOutput, jobOfOutput, type JobOutput } from './output-documents.js';
import type { FileRef, UploadedFile } from '../../../core/protocol/file-ref.js';
import type { GatewayFiles } from './gateway-files.js';
import type { GatewayJob, GatewayJobs, JobOwner } from '../model/gateway-jobs.js';
import { hashFile } from './hash-file.js';
import { isTerminal } from '../../../core/state/job-state.js';
import { assetNotFound, refusal, refusalOf } from './refusal.js';
import { referencesOf, resolveReferences } from './references.js';
import type { Workflow } from '../../../core/protocol/workflow.js';

/** An asset of a caller: a file that was uploaded, or the output of a job. */
export type FoundAsset =
  | { readonly _tag: 'upload'; readonly record: AssetRecord }
  | { readonly _tag: 'output'; readonly job: GatewayJob; readonly output: JobOutput };

/** An asset that was asked for, and whether its bytes are new to the caller's. */
export interface MadeAsset {
  readonly record: AssetRecord;
  readonly isNew: boolean;
}

/** A workflow as the service takes it, and which client has its files. */
export interface PreparedWorkflow {
  readonly workflow: Workflow;
  readonly client: string | undefined;
}

/** The assets of all callers; that of another caller is unknown. */
export interface Assets {
  /** Stores a file once for each owner: bytes that are known are not sent again. */
  readonly store: (
    owner: JobOwner,
    file: File | Blob,
    fields: AssetFields,
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
}

/** What {@link createAssets} needs. */
export interface AssetsOptions {
  readonly index: AssetIndex;
  readonly jobs: Pick<GatewayJobs, 'get' | 'list'>;
  readonly files: GatewayFiles;
  readonly hash?: (file: Blob) => Promise<string | undefined>;
  /** The clock, in milliseconds since 1970. */
  readonly now: () => number;
}

/** Makes the {@link Assets} of a gateway. */
export const createAssets = ({ index, jobs, files, hash: hashOf = hashFile, now }: AssetsOptions): Assets => {
  const known = async (
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
    // A longer life counts, a shorter one does not.
    if (expiresAt !== undefined && same.expiresAt !== undefined && expiresAt > same.expiresAt) {
      const longer = { ...same, expiresAt };
      await index.put(longer);
      return { record: longer, isNew: false };
    }
    return { record: same, isNew: false };
  };

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

  return {
    find,
    store: async (owner, file, fields) => {
      const hash = await hashOf(file);
      if (hash !== undefined && fields.expectedHash !== undefined && hash !== fields.expectedHash) {
        return left(refusal(409, 'hash_mismatch', 'The bytes have another hash than `expected_hash`.'));
      }
      const before = hash === undefined ? undefined : await known(owner, hash, fields);
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
    hasHash: async (owner, hash) => (await index.byHash(owner.name, hash)).length > 0,
    ofHash: async (owner, hash, fields) => {
      const made = await known(owner, hash, fields);
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
    prepare: async (owner, workflow) => {
      const ids = referencesOf(workflow);
      if (ids.length === 0) return right({ workflow, client: undefined });
      const found = new Map<string, UploadedFile | FileRef>();
      let client: string | undefined;
      for (const id of ids) {
        const asset = await find(owner, id);
        if (asset === undefined) continue;
        const own = asset._tag === 'upload' ? asset.record.client : asset.job.record.client;
        client ??= own;
        // A service can't read what another one has.
        if (own !== client) return left(assetsApart);
        found.set(id, asset._tag === 'upload' ? asset.record.stored : asset.output.file);
      }
      const resolved = resolveReferences(workflow, found);
      return resolved.missing.length === 0
        ? right({ workflow: resolved.workflow, client })
        : left(
            refusal(422, 'missing_asset', 'The workflow refers to assets that do not exist.', {
              details: { missing_ids: resolved.missing },
            }),
          );
    },
  };
};

const assetsApart = refusal(
  422,
  'assets_apart',
  'The assets of the workflow are with different services behind this gateway: upload them again, then submit with those.',
);

/** A name that nothing of the caller's name gets into beyond its extension. */
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

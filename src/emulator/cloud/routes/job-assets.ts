import type { Account } from '../cloud-service.js';
import { createHash } from 'node:crypto';
import { filesOfJob, type JobFile, linkTo } from '../job-files.js';
import type { Handler } from '../handler.js';
import type { Job } from '../../scheduler/job.js';
import { json, refusal } from '../../http/answer.js';
import { mediaTypeOf } from '../../store/file-store.js';

/** `GET /api/jobs/{id}/assets`: a page of the files that a job has made, and which output each of them is. */
export const jobAssets: Handler = ({ account, params, query }) => {
  const job = account.scheduler.job(params[0] ?? '');
  if (!job) return noJob;
  const limit = Number(query.get('limit') ?? '20');
  const offset = Number(query.get('offset') ?? '0');
  if (!Number.isInteger(limit) || limit < 1 || limit > 500 || !Number.isInteger(offset) || offset < 0)
    return refusal(400, 'BAD_REQUEST', '`limit` takes 1 to 500, `offset` an integer from 0.');
  const assets = assetsOf(account, job);
  const page = assets.slice(offset, offset + limit);
  return json({
    job_id: job.id,
    assets: page.map((asset) => assetDocument(asset, job)),
    pagination: { offset, limit, total: assets.length, has_more: offset + page.length < assets.length },
  });
};

/** `DELETE /api/jobs/{id}`: the job and its files, unless a job that has not ended takes one of them; nothing while it runs. */
export const deleteJob: Handler = ({ account, params }) => {
  const [promptId = ''] = params;
  const { scheduler } = account;
  const job = scheduler.job(promptId);
  if (!job) return scheduler.hasForgotten(promptId) ? noContent : noJob;
  if (job.endedAt === undefined) return noContent;
  for (const asset of assetsOf(account, job)) {
    if (isInUse(account, asset)) return inUse;
    remove(account, asset);
  }
  scheduler.forget(promptId);
  return noContent;
};

/** `DELETE /api/assets/{id}`: one file; its job stays. */
export const deleteAsset: Handler = ({ account, params }) => {
  for (const job of account.scheduler.jobs())
    for (const asset of assetsOf(account, job))
      if (asset.id === params[0]) {
        if (isInUse(account, asset)) return inUse;
        remove(account, asset);
        return noContent;
      }
  return refusal(404, 'ASSET_NOT_FOUND', 'There is no such asset.');
};

/** `GET /api/s/{id}`: 302 to a signed address of the file. */
export const shortLink: Handler = ({ service, account, params }) => {
  const path = `/api/s/${params[0] ?? ''}`;
  const found = account.scheduler
    .jobs()
    .flatMap((job) => assetsOf(account, job))
    .find(({ id }) => linkTo(id) === path);
  if (!found) return refusal(404, 'NOT_FOUND', 'There is no such link.');
  return { status: 302, headers: { location: service.signedUrls.sign(found.file) } };
};

const noContent = { status: 204 };
const noJob = refusal(404, 'NOT_FOUND', 'There is no such job.');
const inUse = refusal(409, 'ASSET_IN_USE', 'A job that has not ended takes the file.');

const assetsOf = ({ files, deletedAssets }: Account, job: Job): readonly JobFile[] =>
  filesOfJob(job, files).filter(({ id }) => !deletedAssets.has(id));

const isInUse = ({ scheduler }: Account, { file }: JobFile): boolean =>
  scheduler
    .jobs()
    .some(({ endedAt, prompt }) => endedAt === undefined && JSON.stringify(prompt).includes(file.filename));

/** Outputs of the same bytes share a file, which stays for the others. */
const remove = (account: Account, { id, file }: JobFile): void => {
  account.deletedAssets.add(id);
  const isShared = account.scheduler
    .jobs()
    .flatMap((job) => assetsOf(account, job))
    .some((asset) => asset.file.filename === file.filename);
  if (!isShared) account.files.remove(file);
};

const assetDocument = (
  { id, file, nodeId, key, index }: JobFile,
  job: Job,
): Readonly<Record<string, unknown>> => ({
  id,
  name: file.filename,
  hash: `blake3:${createHash('sha256').update(file.bytes).digest('hex')}`,
  mime_type: file.mediaType ?? mediaTypeOf(file.filename),
  size: file.bytes.length,
  created_at: new Date(job.endedAt ?? job.createdAt).toISOString(),
  preview_url: `/api/view?filename=${encodeURIComponent(file.filename)}`,
  short_url: linkTo(id),
  job_id: job.id,
  node_id: nodeId,
  output_key: key,
  output_index: index,
});

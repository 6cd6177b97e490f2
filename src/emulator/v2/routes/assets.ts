import { type Answer, json } from '../../http/answer.js';
import { envelope } from '../envelope.js';
import { isFilePath, isHash, readExpiresIn } from '../asset-fields.js';
import { missing } from '../refusals.js';
import { BodyTooLarge, readJsonObject } from '../../http/request.js';
import { readUploadForm } from '../upload-form.js';
import { isTerminal } from '../documents.js';
import type { V2Handler, V2Request } from '../v2-service.js';
import { withIdempotencyKey } from '../single-use.js';

/** `POST /assets`: stores bytes; 200 where the account has them already. */
export const uploadAsset: V2Handler = async (request) => {
  const { maxUploadBytes } = request.service.base.settings.switches;
  const body = await request.body(maxUploadBytes + FORM_ALLOWANCE);
  if (body instanceof BodyTooLarge) return tooLarge(maxUploadBytes);
  return withIdempotencyKey(request, () => store(request, body, maxUploadBytes));
};

/** Allowance for the parts of the form besides the file. */
const FORM_ALLOWANCE = 64 * 1024;

const tooLarge = (maxBytes: number): Answer =>
  envelope(413, 'payload_too_large', `The file is larger than ${maxBytes} bytes.`);

const store = async (
  { service, account, contentType, origin }: V2Request,
  body: Buffer,
  maxBytes: number,
): Promise<Answer> => {
  const form = readUploadForm(body, contentType);
  if ('status' in form) return form;
  if (form.bytes.length > maxBytes) return tooLarge(maxBytes);
  const hash = await service.blake3.hashInTurns(form.bytes);
  if (form.expectedHash !== undefined && form.expectedHash !== hash) {
    return envelope(409, 'hash_mismatch', 'The bytes have another hash than `expected_hash`.');
  }
  const known = account.assets.reuse(hash, form.filePath, form.expiresInMs);
  if (known) return json(service.documents.asset(known, origin, false));
  const isKnown = account.assets.blob(hash) !== undefined;
  const asset = account.assets.add({
    ...{ hash, contentType: form.contentType, filePath: form.filePath, expiresInMs: form.expiresInMs },
    // The known bytes where there are some: those of the form are a view, which keeps its whole body in memory.
    bytes: account.assets.blob(hash)?.bytes ?? form.bytes,
    jobId: undefined,
  });
  return json(service.documents.asset(asset, origin, !isKnown), isKnown ? 200 : 201);
};

/** `POST /assets/from-hash`: makes an asset of bytes that the account has; 200 where the same one exists. */
export const fromHash: V2Handler = async ({ service, account, origin, text }) => {
  const body = readJsonObject(await text());
  const hash = body?.['hash'];
  const filePath = body?.['file_path'] ?? undefined;
  const expiresInMs = readExpiresIn(body?.['expires_in']);
  const isPath = filePath === undefined || (typeof filePath === 'string' && isFilePath(filePath));
  if (!isHash(hash) || expiresInMs === 'invalid' || !isPath) {
    const message = 'The body takes `hash`, and `file_path`, `tags` and `expires_in` where they are wanted.';
    return envelope(422, 'validation_error', message);
  }
  const blob = account.assets.blob(hash);
  if (!blob) return envelope(404, 'blob_not_found', 'No asset of the account has this hash.');
  const known = account.assets.reuse(hash, filePath, expiresInMs);
  if (known) return json(service.documents.asset(known, origin, false));
  const { bytes, contentType } = blob;
  const asset = account.assets.add({ hash, bytes, contentType, filePath, expiresInMs, jobId: undefined });
  return json(service.documents.asset(asset, origin, false), 201);
};

/** `HEAD /assets/by-hash/{hash}`: whether the account has these bytes. */
export const hasHash: V2Handler = ({ account, params }) => ({
  status: account.assets.blob(params[0] ?? '') ? 200 : 404,
});

/** `GET /assets/{id}`: the asset, with a fresh link. */
export const getAsset: V2Handler = ({ service, account, params, origin }) => {
  const asset = account.assets.get(params[0] ?? '');
  return asset ? json(service.documents.asset(asset, origin)) : missing(service, 'asset');
};

/** `DELETE /assets/{id}`: removes the record, unless a job that has not ended uses it. */
export const deleteAsset: V2Handler = ({ service, account, params }) => {
  const asset = account.assets.get(params[0] ?? '');
  if (!asset) return missing(service, 'asset');
  const isUsed = account.jobs
    .all()
    .some((feed) => !isTerminal(feed.status()) && account.uses.get(feed.job.id)?.includes(asset.id));
  if (isUsed) return envelope(409, 'asset_in_use', 'A job uses the asset.');
  account.assets.remove(asset.id);
  return { status: 204 };
};

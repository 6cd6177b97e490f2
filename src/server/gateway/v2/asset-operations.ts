import { json } from '../http/respond.js';
import { type RouteContext, serveAsset } from './context.js';
import { type CallerBase, timestamp, type V2Asset } from './documents.js';
import { isHash, readAssetFields } from './asset-fields.js';
import type { FoundAsset } from './found-asset.js';
import { isJsonObject } from '../../../core/protocol/json/json.js';
import { isLeft } from '../../../core/protocol/either.js';
import { assetNotFound, refusal } from './refusal.js';
import { outputDocument } from './output-documents.js';
import { readUploadForm } from './upload-form.js';
import type { Refusal } from '../http/refusal.js';
import type { RouteCall } from '../http/route.js';

/** The operations on assets of API v2. */
export const v2AssetOperations = (context: RouteContext) => {
  const { assets, sizes } = context;
  const find = ({ caller, params }: RouteCall) => assets.find(caller, params['id'] ?? '');

  return {
    upload: async (call: RouteCall): Promise<Response | Refusal> => {
      const form = readUploadForm(await call.form());
      if (isLeft(form)) return form.left;
      const made = await assets.store(call.caller, form.right.file, form.right.fields);
      if (isLeft(made)) return made.left;
      const { record, isNew } = made.right;
      const document = assetDocument({ _tag: 'upload', record }, call.base);
      return json({ ...document, created_new: isNew }, isNew ? 201 : 200);
    },
    ofHash: async (call: RouteCall): Promise<Response | Refusal> => {
      const body = await call.json();
      const hash = isJsonObject(body) ? body['hash'] : undefined;
      const fields = readAssetFields((name) => (isJsonObject(body) ? body[name] : undefined));
      if (isLeft(fields)) return fields.left;
      if (!isHash(hash)) {
        return refusal(422, 'validation_error', '`hash` takes `blake3:` and 64 hexadecimal digits.');
      }
      const made = await assets.ofHash(call.caller, hash, fields.right);
      if (isLeft(made)) return made.left;
      const { record, isNew } = made.right;
      const document = assetDocument({ _tag: 'upload', record }, call.base);
      return json({ ...document, created_new: false }, isNew ? 201 : 200);
    },
    hasHash: async ({ caller, params: { hash = '' } }: RouteCall): Promise<Response> =>
      new Response(null, { status: (await assets.hasHash(caller, hash)) ? 200 : 404 }),
    show: async (call: RouteCall): Promise<Response | Refusal> => {
      const asset = await find(call);
      if (asset === undefined) return assetNotFound;
      const known = asset._tag === 'output' ? await sizes.of(asset.job) : undefined;
      return json(assetDocument(asset, call.base, known));
    },
    remove: async ({ caller, params }: RouteCall): Promise<Response | Refusal> => {
      const removed = await assets.remove(caller, params['id'] ?? '');
      return isLeft(removed) ? removed.left : new Response(null, { status: 204 });
    },
    content: async (call: RouteCall): Promise<Response | Refusal> =>
      serveAsset(context, call, await find(call)),
  };
};

/** Writes an asset; that of an output lives as long as its job. */
const assetDocument = (
  asset: FoundAsset,
  base: CallerBase,
  sizes?: Parameters<typeof outputDocument>[3],
): V2Asset => {
  if (asset._tag === 'output') {
    const { job, output } = asset;
    const { id, hash, size_bytes, content_type, url, url_expires_at, name } = outputDocument(
      job,
      output,
      base,
      sizes,
    );
    return {
      ...{ id, hash, size_bytes, content_type, url, url_expires_at },
      file_path: name,
      created_at: timestamp(job.endedAt ?? job.record.createdAt),
      expires_at: url_expires_at,
      job_id: job.record.id,
    };
  }
  const { id, hash = null, sizeBytes, contentType, filePath, createdAt, expiresAt } = asset.record;
  return {
    ...{ id, hash, size_bytes: sizeBytes, content_type: contentType },
    created_at: timestamp(createdAt),
    url: `${base}/api/v2/assets/${id}/content`,
    url_expires_at: timestamp(expiresAt ?? Infinity),
    ...(filePath !== undefined && { file_path: filePath }),
    ...(expiresAt !== undefined && { expires_at: timestamp(expiresAt) }),
  };
};

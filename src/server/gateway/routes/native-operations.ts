import { readAssetFields } from '../v2/asset-fields.js';
import { type Either, isLeft, left, right } from '../../../core/protocol/either.js';
import { findOutput } from '../v2/output-documents.js';
import { json } from '../http/respond.js';
import { type RouteContext, serveAsset, withJob } from '../v2/context.js';
import { imagePlaceOf, type JobImage } from '../../joblog/job-images.js';
import { assetNotFound, jobNotFound, refusal, refusalOf, unknownCursor } from '../v2/refusal.js';
import { nativeJob } from '../native/native-job.js';
import { openEvents } from '../v2/open-events.js';
import { readListQuery } from '../v2/list-query.js';
import { readUploadForm, type UploadForm } from '../v2/upload-form.js';
import type { Refusal } from '../http/refusal.js';
import type { RouteCall } from '../http/route.js';

/** The operations on jobs and files beyond API v2. */
export const nativeOperations = (context: RouteContext) => {
  const { jobs, assets } = context;

  return {
    list: async ({ url, caller, base }: RouteCall): Promise<Response | Refusal> => {
      const query = readListQuery(url.searchParams);
      if (isLeft(query)) return query.left;
      const { cursor: after, ...filter } = query.right;
      const page = await jobs.list(caller, { ...filter, after });
      if (page === undefined) return unknownCursor;
      return json({ ...page, jobs: page.jobs.map((job) => nativeJob(job, base)) });
    },
    show: withJob(context, ({ base }, job) => json(nativeJob(job, base))),
    cancel: async ({ caller, params, base }: RouteCall): Promise<Response | Refusal> => {
      const result = await jobs.cancel(caller, params['id'] ?? '');
      if (result === undefined) return jobNotFound;
      return result._tag === 'taken'
        ? json({ ...nativeJob(result.job, base), requested: result.requested })
        : refusalOf(result.error);
    },
    events: openEvents(context, 'native'),
    output: withJob(context, async (call, job) => {
      const place = imagePlaceOf(call.params['output'] ?? '');
      if (place !== undefined) return imageResponse(await jobs.image(job, place));
      const output = findOutput(job, call.params['output'] ?? '');
      return serveAsset(context, call, output && { _tag: 'output', job, output });
    }),
    preview: async ({ caller, params }: RouteCall): Promise<Response | Refusal> => {
      const preview = await jobs.preview(caller, params['id'] ?? '', params['node']);
      if (preview === undefined)
        return refusal(404, 'preview_not_found', 'There is no preview of this node now.');
      return pictureResponse(preview, 'no-store');
    },
    upload: async (call: RouteCall): Promise<Response | Refusal> => {
      const upload = await readUpload(call);
      if (isLeft(upload)) return upload.left;
      const { file: content, fields, maskOf } = upload.right;
      const original = maskOf === undefined ? undefined : await assets.find(call.caller, maskOf);
      if (maskOf !== undefined && original === undefined) return assetNotFound;
      const made =
        original === undefined
          ? await assets.store(call.caller, content, fields)
          : await assets.storeMask(call.caller, content, original);
      if (isLeft(made)) return made.left;
      const { record, isNew } = made.right;
      const { id, hash, sizeBytes, contentType, filePath } = record;
      // What a workflow's input takes, and `fileInput` makes the same of.
      const name = (filePath ?? id).split('/').at(-1) ?? id;
      const asset = { id, ...(hash !== undefined && { hash }) };
      const file = { name, subfolder: '', type: 'input', asset };
      return json({ ...file, sizeBytes, mediaType: contentType }, isNew ? 201 : 200);
    },
  };
};

/** A picture that was kept never changes. */
const imageResponse = (image: JobImage | undefined): Response | Refusal =>
  image === undefined
    ? refusal(404, 'output_unavailable', 'The gateway does not keep this picture.')
    : pictureResponse(image, 'private, max-age=3600');

const pictureResponse = ({ mediaType, bytes }: JobImage, cacheControl: string): Response =>
  new Response(bytes as Uint8Array<ArrayBuffer>, {
    headers: {
      'content-type': mediaType,
      'cache-control': cacheControl,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    },
  });

/** Reads an upload: a form with a part `file`, or the bytes themselves, whose name is the parameter `filename`. */
const readUpload = async (
  call: RouteCall,
): Promise<Either<Refusal, Pick<UploadForm, 'fields' | 'maskOf'> & { readonly file: Blob }>> => {
  const contentType = call.request.headers.get('content-type') ?? '';
  if (/^multipart\/form-data\b/iu.test(contentType)) return readUploadForm(await call.form());
  const { searchParams } = call.url;
  const fields = readAssetFields((name) => {
    if (name === 'content_type') return contentType;
    return searchParams.get(name === 'file_path' ? 'filename' : name);
  });
  if (isLeft(fields)) return fields;
  if (call.body === null) return left(refusal(422, 'invalid_body', 'The request has no body.'));
  const maskOf = searchParams.get('mask_of') ?? undefined;
  return right({ file: await call.blob(), fields: fields.right, maskOf });
};

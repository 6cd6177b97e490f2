import { type AssetFields, readAssetFields } from '../v2/asset-fields.js';
import { type Either, isLeft, left, right } from '../../protocol/either.js';
import { findOutput } from '../v2/output-documents.js';
import type { GatewayTemplates } from '../templates.js';
import { json } from '../http/respond.js';
import { type RouteContext, serveAsset, withJob } from '../v2/context.js';
import { jobNotFound, refusal, refusalOf, unknownCursor } from '../v2/refusal.js';
import { nativeJob } from './native-job.js';
import { openEvents } from '../v2/open-events.js';
import { readListQuery } from '../v2/list-query.js';
import { readUploadForm } from '../v2/upload-form.js';
import type { Refusal } from '../http/refusal.js';
import type { Route, RouteCall } from '../http/route.js';
import { templateRoutes } from './template-routes.js';

/** The operations beyond API v2: lists and streams of jobs, uploads, files, previews and templates. */
export const nativeRoutes = (context: RouteContext, templates: GatewayTemplates): readonly Route[] => {
  const { jobs, assets } = context;
  const route = (
    method: Route['method'],
    path: string,
    handle: Route['handle'],
    more: Partial<Route> = {},
  ): Route => ({ method, path, access: 'caller', errors: 'problem', handle, ...more });
  const events = openEvents(context, 'native');

  return [
    route('GET', '/jobs', async (call) => {
      const query = readListQuery(call.url.searchParams);
      if (isLeft(query)) return query.left;
      const { cursor: after, ...filter } = query.right;
      const page = await jobs.list(call.caller, { ...filter, after });
      if (page === undefined) return unknownCursor;
      return json({ ...page, jobs: page.jobs.map((job) => nativeJob(job, call.base)) });
    }),
    route(
      'GET',
      '/jobs/:id',
      withJob(context, ({ base }, job) => json(nativeJob(job, base))),
      { access: 'ticket', unlimited: true },
    ),
    route('POST', '/jobs/:id/cancel', async ({ caller, params, base }) => {
      const result = await jobs.cancel(caller, params['id'] ?? '');
      if (result === undefined) return jobNotFound;
      return result._tag === 'taken' ? json(nativeJob(result.job, base)) : refusalOf(result.error);
    }),
    route('GET', '/jobs/:id/events', events, { access: 'ticket', stream: true }),
    route('GET', '/events', events, { access: 'ticket', stream: true }),
    route(
      'GET',
      '/jobs/:id/outputs/:output',
      withJob(context, (call, job) => {
        const output = findOutput(job, call.params['output'] ?? '');
        return serveAsset(context, call, output && { _tag: 'output', job, output });
      }),
      { access: 'ticket' },
    ),
    route(
      'GET',
      '/jobs/:id/previews/:node',
      async ({ caller, params }) => {
        const preview = await jobs.preview(caller, params['id'] ?? '', params['node']);
        if (preview === undefined)
          return refusal(404, 'preview_not_found', 'There is no preview of this node now.');
        return new Response(preview.bytes as Uint8Array<ArrayBuffer>, {
          headers: {
            'content-type': preview.mediaType,
            'cache-control': 'no-store',
            'x-content-type-options': 'nosniff',
            'content-security-policy': "sandbox; default-src 'none'",
          },
        });
      },
      { access: 'preview' },
    ),
    route(
      'POST',
      '/uploads',
      async (call) => {
        const upload = await readUpload(call);
        if (isLeft(upload)) return upload.left;
        const made = await assets.store(call.caller, upload.right.file, upload.right.fields);
        if (isLeft(made)) return made.left;
        const { record, isNew } = made.right;
        const { id, hash, sizeBytes, contentType, filePath } = record;
        // What a workflow's input takes, and `fileInput` makes the same of.
        const name = (filePath ?? id).split('/').at(-1) ?? id;
        const file = {
          name,
          subfolder: '',
          type: 'input',
          asset: { id, ...(hash !== undefined && { hash }) },
        };
        return json({ ...file, sizeBytes, mediaType: contentType }, isNew ? 201 : 200);
      },
      { body: 'upload' },
    ),
    ...templateRoutes(context, templates),
  ];
};

/** Reads an upload: a form with a part `file`, or the bytes themselves, whose name is the parameter `filename`. */
const readUpload = async (
  call: RouteCall,
): Promise<Either<Refusal, { readonly file: Blob; readonly fields: AssetFields }>> => {
  const contentType = call.request.headers.get('content-type') ?? '';
  if (/^multipart\/form-data\b/iu.test(contentType)) return readUploadForm(await call.form());
  const { searchParams } = call.url;
  const fields = readAssetFields((name) => {
    if (name === 'content_type') return contentType;
    return searchParams.get(name === 'file_path' ? 'filename' : name);
  });
  if (isLeft(fields)) return fields;
  if (call.body === null) return left(refusal(422, 'invalid_body', 'The request has no body.'));
  const file = await new Response(call.body as ReadableStream<Uint8Array<ArrayBuffer>>, {
    headers: { 'content-type': contentType },
  }).blob();
  return right({ file, fields: fields.right });
};

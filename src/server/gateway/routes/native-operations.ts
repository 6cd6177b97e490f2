import { readAssetFields } from '../v2/asset-fields.js';
import type { Clock } from '../../../core/platform/platform.js';
import { type Either, isLeft, left, right } from '../../../core/protocol/either.js';
import { findOutput } from '../v2/output-documents.js';
import { jsonList } from '../http/json-list.js';
import { json, ofBytes } from '../http/respond.js';
import { largeJson } from '../http/large-json.js';
import { type RouteContext, serveAsset, withJob } from '../v2/context.js';
import { imagePlaceOf, type JobImage } from '../../joblog/job-images.js';
import { assetNotFound, jobNotFound, refusal, refusalOf, unknownCursor } from '../v2/refusal.js';
import { nativeJob } from '../native/native-job.js';
import { openEvents } from '../v2/open-events.js';
import { readListQuery } from '../v2/list-query.js';
import { readUploadForm, type UploadForm } from '../v2/upload-form.js';
import type { Refusal } from '../http/refusal.js';
import type { RouteCall } from '../http/route.js';
import { answers, type Operations } from '../openapi/operation.js';
import { bytes, uploadForm } from '../contract/requests.js';
import { cancelledJob, nativeJob as jobCodec, nativeJobs, uploadedFile } from '../contract/native.js';
import {
  fileAnswers,
  listQuery,
  rangeHeaders,
  streamAnswers,
  streamHeaders,
  streamQuery,
} from '../openapi/parameters.js';
import { nativeEvent } from '../contract/events.js';
import * as t from 'io-ts';

/** The operations on jobs and files beyond API v2. */
export const nativeOperations = (context: RouteContext & { readonly clock: Pick<Clock, 'after'> }) => {
  const { jobs, assets, clock } = context;

  return {
    list: async (call: RouteCall): Promise<Response | Refusal> => {
      const { url, caller, base, pause } = call;
      const query = readListQuery(url.searchParams);
      if (isLeft(query)) return query.left;
      const { cursor: after, ...filter } = query.right;
      const page = await jobs.list(caller, { ...filter, after }, pause);
      if (page === undefined) return unknownCursor;
      const { jobs: elements, ...more } = page;
      return jsonList({ name: 'jobs', elements, shown: (job) => nativeJob(job, base), more }, clock, call);
    },
    show: withJob(context, (call, job) => largeJson(call, nativeJob(job, call.base))),
    cancel: async (call: RouteCall): Promise<Response | Refusal> => {
      const { caller, params, base } = call;
      const result = await jobs.cancel(caller, params['id'] ?? '');
      if (result === undefined) return jobNotFound;
      return result._tag === 'taken'
        ? largeJson(call, { ...nativeJob(result.job, base), requested: result.requested })
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

const pictureResponse = (image: JobImage, cacheControl: string): Response =>
  ofBytes(image.bytes as Uint8Array<ArrayBuffer>, {
    headers: new Headers({
      'content-type': image.mediaType,
      'cache-control': cacheControl,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    }),
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

/** What OpenAPI tells of these operations. */
export const jobDescriptions: Operations = {
  'GET /jobs': {
    ...{ id: 'listJobs', tag: 'Jobs', summary: 'List your jobs, the newest first' },
    query: listQuery,
    answers: { 200: answers('A page of jobs.', nativeJobs) },
    refusals: [400],
  },
  'GET /jobs/:id': {
    ...{ id: 'getJob', tag: 'Jobs', summary: 'Show a job' },
    answers: { 200: answers('The job.', jobCodec) },
    refusals: [404],
  },
  'POST /jobs/:id/cancel': {
    ...{ id: 'cancelJob', tag: 'Jobs', summary: 'Ask for the end of a job' },
    answers: { 200: answers('The job; `requested` is false where it was over before.', cancelledJob) },
    refusals: [404],
  },
  'GET /jobs/:id/events': {
    ...{ id: 'streamJob', tag: 'Events', summary: 'Follow a job by its events' },
    query: streamQuery,
    headers: streamHeaders,
    answers: streamAnswers(nativeEvent),
    refusals: [400, 404, 501],
  },
  'GET /events': {
    ...{ id: 'streamJobs', tag: 'Events', summary: 'Follow all of your jobs by one stream' },
    query: streamQuery,
    headers: streamHeaders,
    answers: streamAnswers(nativeEvent),
    refusals: [400, 501],
  },
  'GET /jobs/:id/outputs/:output': {
    ...{ id: 'getOutput', tag: 'Files', summary: 'Read the bytes of an output' },
    headers: rangeHeaders,
    answers: fileAnswers,
    refusals: [404, 416],
  },
  'GET /jobs/:id/previews/:node': {
    ...{ id: 'getPreview', tag: 'Files', summary: 'Read the newest preview of a node' },
    query: { v: { codec: t.string, description: 'Which preview it was, for caches.' } },
    answers: { 200: { description: 'The picture.', content: { 'image/*': bytes } } },
    refusals: [404],
  },
  'POST /uploads': {
    ...{ id: 'uploadFile', tag: 'Files', summary: 'Upload a file, as a form or as it is' },
    query: {
      filename: { codec: t.string, description: 'The name of a file that is sent as it is.' },
      expected_hash: { codec: t.string, description: 'Of a file that is sent as it is, `blake3:…`.' },
      mask_of: {
        codec: t.string,
        description: 'Of a mask that is sent as it is: the id of the asset or output whose picture gets it.',
      },
      expires_in: { codec: t.string, description: 'Seconds, of a file that is sent as it is.' },
    },
    body: { content: { 'multipart/form-data': uploadForm, '*/*': bytes }, required: true },
    answers: {
      200: answers('These bytes were here before.', uploadedFile),
      201: answers('What inputs of workflows and templates take.', uploadedFile),
    },
    refusals: [404, 409, 413, 422, 501],
  },
};

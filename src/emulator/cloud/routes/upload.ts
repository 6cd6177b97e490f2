import { type Answer, json, refusal } from '../../http/answer.js';
import type { ApiRequest, Handler } from '../handler.js';
import { BodyTooLarge, readJsonObject } from '../../http/request.js';
import type { FileDescriptor } from '../../engine/node-class.js';
import { mergeMask, pictureSize } from '../../store/reduce-picture.js';
import type { Upload } from '../../store/file-store.js';

/** `POST /api/upload/image`: stores the file and answers the name to use in workflows. */
export const uploadImage: Handler = async (request) => {
  const form = await readUpload(request);
  if (!('upload' in form)) return form;
  const { filename, subfolder, type } = request.account.files.upload(form.upload);
  return json({ name: filename, subfolder, type });
};

/** `POST /api/upload/mask`: stores the original with the upload's alpha, as PNG. */
export const uploadMask: Handler = async (request) => {
  const form = await readUpload(request);
  if (!('upload' in form)) return form;
  const reference = readJsonObject(form.field('original_ref') ?? '');
  const filename = text(reference?.['filename']);
  if (filename === undefined) {
    return refusal(400, 'BAD_REQUEST', '`original_ref` takes a JSON text with a `filename`.');
  }
  const { files } = request.account;
  const original = files.find(
    filename,
    text(reference?.['type']) ?? 'output',
    text(reference?.['subfolder']) ?? '',
  );
  if (!original) return refusal(404, 'NOT_FOUND', 'There is no such original.');
  const problem = sizeProblem(original.bytes, Infinity);
  if (problem !== undefined) return refusal(400, 'BAD_REQUEST', problem);
  const merged = mergeMask(original.bytes, form.upload.bytes);
  if (typeof merged === 'string') return refusal(400, 'BAD_REQUEST', merged);
  const kept = files.upload({ ...form.upload, bytes: merged, filename: pngName(form.upload.filename) });
  return json({
    name: kept.filename,
    subfolder: kept.subfolder,
    type: kept.type,
    metadata: {
      is_mask: true,
      original_hash: original.filename,
      mask_type: 'painted_masked',
      related_files: { mask: kept.filename, paint: null, painted: null },
    },
  });
};

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const pngName = (filename: string): string => `${filename.replace(/\.[^.]*$/, '')}.png`;

/** An upload and the other fields of its form. */
export interface UploadForm {
  readonly upload: Upload;
  readonly field: (name: string) => string | undefined;
}

/** Reads a multipart upload and holds it to the limits; an {@link Answer} where it is refused. */
const readUpload = async (request: ApiRequest): Promise<UploadForm | Answer> => {
  const { settings } = request.service;
  const limited = settings.has('status:400');
  const maxBytes = limited ? settings.switches.maxUploadBytes : Infinity;
  const body = await request.body(maxBytes + FORM_ALLOWANCE);
  if (body instanceof BodyTooLarge)
    return refusal(400, 'BAD_REQUEST', `The file is larger than ${maxBytes} bytes.`);
  const form = await parseForm(body, request.contentType);
  const file = form?.get('image');
  if (!form || !(file instanceof Blob)) return refusal(400, 'BAD_REQUEST', 'The form has no file `image`.');
  const field = (name: string): string | undefined => {
    const value = form.get(name);
    return typeof value === 'string' ? value : undefined;
  };
  const bytes = new Uint8Array(await file.arrayBuffer());
  const problem = limited ? sizeProblem(bytes, maxBytes) : undefined;
  if (problem !== undefined) return refusal(400, 'BAD_REQUEST', problem);
  return {
    field,
    upload: {
      bytes,
      filename: file.name || 'upload',
      type: readType(field('type')),
      subfolder: field('subfolder') ?? '',
      overwrite: ['true', '1'].includes(field('overwrite') ?? ''),
    },
  };
};

/** A message for a picture beyond the service's limits. */
const sizeProblem = (bytes: Uint8Array, maxBytes: number): string | undefined => {
  if (bytes.length > maxBytes) return `The file is larger than ${maxBytes} bytes.`;
  const size = pictureSize(bytes);
  if (!size) return undefined;
  if (Math.max(size.width, size.height) > MAX_EDGE) return `The picture has an edge above ${MAX_EDGE} px.`;
  return size.width * size.height > MAX_PIXELS ? `The picture has more than ${MAX_PIXELS} px.` : undefined;
};

const MAX_EDGE = 16_384;
const MAX_PIXELS = 67_108_864;
/** Allowance for the parts of the form besides the file. */
const FORM_ALLOWANCE = 64 * 1024;

const parseForm = async (body: Buffer, contentType: string): Promise<FormData | undefined> => {
  try {
    return await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData();
  } catch {
    return undefined;
  }
};

/** The service's default is `output`; any other value counts as that, since the type is a tag only. */
const readType = (type: string | undefined): FileDescriptor['type'] =>
  type === 'input' || type === 'temp' ? type : 'output';

import type { FileDescriptor } from '../engine/node-class.js';
import { refusal, type Answer } from '../http/answer.js';
import type { ApiRequest } from '../http/api-request.js';
import { pictureSize } from '../store/picture-size.js';
import type { Upload } from '../store/file-store.js';

/** An upload and the other fields of its form. */
export interface UploadForm {
  readonly upload: Upload;
  readonly field: (name: string) => string | undefined;
}

/** Reads a multipart upload and holds it to the limits; an {@link Answer} where it is refused. */
export const readUpload = async (request: ApiRequest): Promise<UploadForm | Answer> => {
  const { settings } = request.service;
  const limited = settings.has('status:400');
  const maxBytes = limited ? settings.switches.maxUploadBytes : Infinity;
  const body = await request.body(maxBytes + FORM_ALLOWANCE);
  if (body === 'too large') return refusal(400, 'BAD_REQUEST', `The file is larger than ${maxBytes} bytes.`);
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

/** A picture beyond the service's limits, in words. */
export const sizeProblem = (bytes: Uint8Array, maxBytes: number): string | undefined => {
  if (bytes.length > maxBytes) return `The file is larger than ${maxBytes} bytes.`;
  const size = pictureSize(bytes);
  if (!size) return undefined;
  if (Math.max(size.width, size.height) > MAX_EDGE) return `The picture has an edge above ${MAX_EDGE} px.`;
  return size.width * size.height > MAX_PIXELS ? `The picture has more than ${MAX_PIXELS} px.` : undefined;
};

const MAX_EDGE = 16_384;
const MAX_PIXELS = 67_108_864;
/** What the form may take besides the file itself. */
const FORM_ALLOWANCE = 64 * 1024;

const parseForm = async (body: Buffer, contentType: string): Promise<FormData | undefined> => {
  try {
    return await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData();
  } catch {
    return undefined;
  }
};

/** The service's default is `output`; any other word counts as that, since the type is a mere tag. */
const readType = (type: string | undefined): FileDescriptor['type'] =>
  type === 'input' || type === 'temp' ? type : 'output';

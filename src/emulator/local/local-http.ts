import type { Answer } from '../http/answer.js';
import { asJsonObject, BodyTooLarge, type JsonObject } from '../http/request.js';
import { parsePython } from '../exact-json.js';
import type { FileDescriptor } from '../engine/node-class.js';
import type { LocalRequest } from './local-service.js';
import { pythonJson, ServerError } from './python.js';
import type { Upload } from '../store/file-store.js';

/** JSON as Python writes it. */
export const localJson = (value: unknown, status = 200): Answer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: pythonJson(value),
});

/** A status without a body, as view, upload and the control routes answer. */
export const empty = (status: number): Answer => ({
  status,
  headers: { 'content-type': 'application/octet-stream' },
});

/** The answer to a body beyond the limit. */
export const tooLarge = ({ limit, size }: BodyTooLarge): Answer =>
  plain(413, `Maximum request body size ${limit} exceeded, actual body size ${size}`);

/** A status in plain text. */
export const plain = (status: number, body: string, headers: Answer['headers'] = {}): Answer => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8', ...headers },
  body,
});

/** The answer to a {@link ServerError}. */
export const internalServerError: Answer = plain(
  500,
  '500 Internal Server Error\n\nServer got itself in trouble',
  {
    connection: 'close',
  },
);

/** An upload and the other fields of its form. */
export interface LocalForm {
  readonly upload: Upload;
  readonly field: (name: string) => string | undefined;
}

/** Reads a multipart upload; no form, a form without a file, or a path outside the folder is a 400 without a body. */
export const readForm = async (request: LocalRequest): Promise<LocalForm | Answer> => {
  const limit = request.service.settings.switches.maxUploadBytes;
  const body = await request.body(limit);
  if (body instanceof BodyTooLarge) throw body;
  // The engine reads no form from another body, and so finds no file in it.
  if (!formTypes.test(request.contentType)) return empty(400);
  const form = await parse(body, request.contentType);
  const file = form.get('image');
  if (file === null) return empty(400);
  if (typeof file === 'string' || file.name === '') throw new ServerError('the image is no file with a name');
  const field = (name: string): string | undefined => {
    const value = form.get(name);
    return typeof value === 'string' ? value : undefined;
  };
  const subfolder = field('subfolder') ?? '';
  if (!isInside(subfolder) || !isInside(file.name)) return empty(400);
  return {
    field,
    upload: {
      bytes: new Uint8Array(await file.arrayBuffer()),
      filename: file.name,
      type: readType(field('type') ?? 'input'),
      subfolder,
      overwrite: ['true', '1'].includes(field('overwrite') ?? ''),
    },
  };
};

const formTypes = /^(?:multipart\/form-data|application\/x-www-form-urlencoded)(?:;|$)/iu;

const parse = async (body: Buffer, contentType: string): Promise<FormData> => {
  try {
    return await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData();
  } catch {
    throw new ServerError('the body is no form');
  }
};

/** One of the three folders; throws {@link ServerError} for another name. */
export const readType = (type: string): FileDescriptor['type'] => {
  if (type === 'input' || type === 'temp' || type === 'output') return type;
  throw new ServerError(`${type} is no folder`);
};

/** Parses a body as JSON; throws {@link ServerError} for anything else. */
export const readBody = (text: string): unknown => {
  try {
    return parsePython(text);
  } catch {
    throw new ServerError('the body is no JSON');
  }
};

/** Parses a body as a JSON object without a prototype; throws {@link ServerError} for anything else. */
export const readObject = (text: string): JsonObject => {
  const body = asJsonObject(readBody(text));
  if (!body) throw new ServerError('the body is no JSON object');
  return body;
};

/** True for a folder below the one that is served. */
export const isInside = (subfolder: string): boolean =>
  !subfolder.startsWith('/') && !subfolder.split('/').includes('..');

/** True for a file name that names no other folder. */
export const isPlainName = (name: string): boolean =>
  name !== '' && !name.startsWith('/') && !name.includes('..');

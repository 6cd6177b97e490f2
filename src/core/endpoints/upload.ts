import * as E from '../protocol/either.js';
import type { Endpoint, EndpointPart } from './endpoint.js';
import type { FileRef, UploadedFile } from '../protocol/file-ref.js';
import { isJsonObject } from '../protocol/json/json.js';

/** What an upload sends besides the file. */
interface UploadFields {
  readonly type?: string;
  readonly subfolder?: string;
  readonly overwrite?: boolean;
}

/** `POST /api/upload/image`: a multipart form; equal bytes get the same name (docs/protocol.md, chapter 2). */
export const uploadImageEndpoint = (
  content: Blob,
  filename: string,
  fields: UploadFields = {},
): Endpoint<UploadedFile> => ({
  method: 'POST',
  path: '/api/upload/image',
  form: [{ name: 'image', filename, content }, ...uploadFields(fields)],
  idempotency: 'always',
  read: readUploadedFile,
});

/** The text fields that both uploads share; `overwrite` is sent as text. */
const uploadFields = ({ type = 'input', subfolder, overwrite }: UploadFields): readonly EndpointPart[] => [
  { name: 'type', value: type },
  ...(subfolder === undefined ? [] : [{ name: 'subfolder', value: subfolder }]),
  ...(overwrite === undefined ? [] : [{ name: 'overwrite', value: String(overwrite) }]),
];

/** `POST /api/upload/mask`: a mask for `original`, which is sent as JSON text (docs/protocol.md, chapter 2). */
export const uploadMaskEndpoint = (
  content: Blob,
  filename: string,
  original: FileRef,
  fields: UploadFields = {},
): Endpoint<UploadedFile> => ({
  method: 'POST',
  path: '/api/upload/mask',
  form: [
    { name: 'image', filename, content },
    { name: 'original_ref', value: originalRef(original) },
    ...uploadFields(fields),
  ],
  idempotency: 'always',
  read: readUploadedFile,
});

/** Every member is sent: the servers' own defaults for `type` differ. */
const originalRef = ({ filename, subfolder = '', type = 'output' }: FileRef): string =>
  JSON.stringify({ filename, subfolder, type });

/** Reads the answer of an upload: only `name` is promised (docs/protocol.md, chapter 2). */
export const readUploadedFile = (json: unknown): E.Either<string, UploadedFile> => {
  const { name, subfolder, type } = isJsonObject(json) ? json : {};
  return typeof name === 'string' && name !== ''
    ? E.right({ name, subfolder: text(subfolder, ''), type: text(type, 'input') })
    : E.left('the answer does not name the uploaded file');
};

const text = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise);

import type { Endpoint, EndpointPart } from './endpoint.js';
import { readUploadedFile } from '../answers/read-uploaded-file.js';
import type { UploadedFile } from '../answers/uploaded-file.js';

/** What an upload sends besides the file. */
export interface UploadFields {
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
  repeat: 'always',
  read: readUploadedFile,
});

/** The text fields that both uploads share; `overwrite` is sent as text. */
export const uploadFields = ({
  type = 'input',
  subfolder,
  overwrite,
}: UploadFields): readonly EndpointPart[] => [
  { name: 'type', value: type },
  ...(subfolder === undefined ? [] : [{ name: 'subfolder', value: subfolder }]),
  ...(overwrite === undefined ? [] : [{ name: 'overwrite', value: String(overwrite) }]),
];

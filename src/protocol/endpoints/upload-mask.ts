import type { Endpoint } from './endpoint.js';
import type { FileRef } from '../outputs/file-ref.js';
import { readUploadedFile } from '../answers/read-uploaded-file.js';
import type { UploadedFile } from '../answers/uploaded-file.js';
import { uploadFields, type UploadFields } from './upload-image.js';

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
  repeat: 'always',
  read: readUploadedFile,
});

/** Every member is sent: the servers' own defaults for `type` differ. */
const originalRef = ({ filename, subfolder = '', type = 'output' }: FileRef): string =>
  JSON.stringify({ filename, subfolder, type });

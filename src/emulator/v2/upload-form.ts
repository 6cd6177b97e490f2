import type { Answer } from '../http/answer.js';
import { envelope } from './envelope.js';
import { type FormPart, readMultipart } from '../http/multipart.js';
import { isFilePath, readExpiresIn } from './asset-fields.js';

/** What an upload says. */
export interface UploadForm {
  readonly bytes: Buffer;
  readonly contentType: string;
  readonly filePath: string | undefined;
  readonly expectedHash: string | undefined;
  readonly expiresInMs: number | undefined;
}

/** Reads the form of `POST /assets`, whose last part is the file; or says why not. */
export const readUploadForm = (body: Buffer, contentType: string): UploadForm | Answer => {
  const parts = readMultipart(body, contentType);
  if (!parts) return envelope(422, 'invalid_body', 'The body is no complete `multipart/form-data`.');
  const file = parts.findIndex(({ name }) => name === 'file');
  const part = parts[file];
  if (!part) return unfit('The form has no part `file`.');
  if (file !== parts.length - 1) return unfit('The part `file` comes last.');
  const field = (name: string): string | undefined => textOf(parts, name);
  const expiresIn = readExpiresIn(field('expires_in'));
  if (expiresIn === 'invalid') return unfit('`expires_in` takes 60 to 604800 seconds.');
  // Without a path, the file's own name counts; a browser may send it with folders.
  const filePath = field('file_path') || part.filename?.split(/[/\\]/u).at(-1) || undefined;
  if (filePath !== undefined && !isFilePath(filePath)) return unfit('`file_path` leaves its folder.');
  return {
    bytes: part.bytes,
    contentType: field('content_type') ?? part.contentType ?? 'application/octet-stream',
    filePath,
    expectedHash: field('expected_hash'),
    expiresInMs: expiresIn,
  };
};

const unfit = (message: string): Answer => envelope(422, 'validation_error', message);

const textOf = (parts: readonly FormPart[], name: string): string | undefined =>
  parts.find((part) => part.name === name)?.bytes.toString('utf8');

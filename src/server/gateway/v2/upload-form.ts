import type { Refusal } from '../http/refusal.js';
import { type AssetFields, readAssetFields } from './asset-fields.js';
import { type Either, isLeft, left, right } from '../../../core/protocol/either.js';
import { refusal } from './refusal.js';

/** What an upload sends. */
export interface UploadForm {
  readonly file: File;
  readonly fields: AssetFields;
  /** The asset of which it is a mask. */
  readonly maskOf?: string | undefined;
}

/** Reads the form of an upload: its part `file`, and what it says about it. */
export const readUploadForm = (form: FormData): Either<Refusal, UploadForm> => {
  const file = form.get('file');
  if (!(file instanceof File)) return left(refusal(422, 'validation_error', 'The form has no part `file`.'));
  const ownName = file.name.split(/[/\\]/u).at(-1) ?? '';
  const fields = readAssetFields((name) => {
    const text = form.get(name);
    // Without a path, the file's own name counts, of which a browser may send more than the last part.
    return name === 'file_path' && (text === null || text === '') ? ownName : text;
  });
  const maskOf = form.get('mask_of');
  return isLeft(fields)
    ? fields
    : right({ file, fields: fields.right, ...(typeof maskOf === 'string' && { maskOf }) });
};

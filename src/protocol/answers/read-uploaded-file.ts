import * as E from '../either.js';
import { isJsonObject } from '../is-json-object.js';
import type { UploadedFile } from './uploaded-file.js';

/** Reads the answer of an upload: only `name` is promised (docs/protocol.md, chapter 2). */
export const readUploadedFile = (json: unknown): E.Either<string, UploadedFile> => {
  const { name, subfolder, type } = isJsonObject(json) ? json : {};
  return typeof name === 'string' && name !== ''
    ? E.right({ name, subfolder: text(subfolder, ''), type: text(type, 'input') })
    : E.left('the answer does not name the uploaded file');
};

const text = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise);

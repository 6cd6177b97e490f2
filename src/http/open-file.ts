import * as E from '../protocol/either.js';
import type { ServiceError } from '../protocol/errors/errors.js';
import type { Files } from '../socket/platform.js';
import { fileSystemError } from './file-system-error.js';
import type { UploadFile } from './upload-file.js';

/** Opens a file of this disk that shall be uploaded. Left is `FileSystem` where it can't be read. */
export const openFile = async (files: Files, path: string): Promise<E.Either<ServiceError, UploadFile>> => {
  try {
    return E.right({ content: await files.open(path), filename: path.split(/[/\\]/u).at(-1) ?? path });
  } catch (cause) {
    return E.left(fileSystemError(cause, path));
  }
};

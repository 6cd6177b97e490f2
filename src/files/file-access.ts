import { download } from './download.js';
import * as E from '../protocol/either.js';
import type { Files } from '../platform/platform.js';
import { fileSystemError } from './file-system-error.js';
import type { ServiceError } from '../errors/errors.js';
import { signedFile } from './signed-file.js';

/** Opens a file of this disk that shall be uploaded. Left is `FileSystem` where it can't be read. */
export const openFile = async (files: Files, path: string): Promise<E.Either<ServiceError, UploadFile>> => {
  try {
    return E.right({ content: await files.open(path), filename: path.split(/[/\\]/u).at(-1) ?? path });
  } catch (cause) {
    return E.left(fileSystemError(cause, path));
  }
};

/**
 * What a client can do with files where redirects are seen and a disk is there. A page has neither: its client is made
 * without, and does not load it.
 */
export const fileAccess = { download, openFile, signedFile };

export type FileAccess = typeof fileAccess;

/** A file to upload: its bytes, and its name without folders. */
export interface UploadFile {
  readonly content: Blob;
  readonly filename: string;
}

import { download } from './download.js';
import * as E from '../protocol/either.js';
import { fileSystemError } from './file-system-error.js';
import type { OpenFile } from '../http/connection.js';
import { signedFile } from '../http/signed-file.js';

/** Opens a file on this disk for an upload. Left is `FileSystem` where it can't be read. */
export const openFile: OpenFile = async (files, path) => {
  try {
    return E.right({ content: await files.open(path), filename: path.split(/[/\\]/u).at(-1) ?? path });
  } catch (cause) {
    return E.left(fileSystemError(cause, path));
  }
};

/**
 * What a client does with files on a platform that has a disk and shows where redirects lead. A page has neither: its client
 * is made without this module and does not load it.
 */
export const fileAccess = { download, openFile, signedFile };

export type FileAccess = typeof fileAccess;

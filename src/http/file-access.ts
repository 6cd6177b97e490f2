import { download } from './download.js';
import { openFile } from './open-file.js';
import { signedFile } from './signed-file.js';

/**
 * What a client can do with files where redirects are seen and a disk is there. A page has neither: its client is made
 * without, and does not load it.
 */
export const fileAccess = { download, openFile, signedFile };

export type FileAccess = typeof fileAccess;

import { download } from './download.js';
import { followSigned } from './redirect.js';

/**
 * What a client can do with files where redirects are seen and a disk is there. A page has neither: its client is made
 * without, and does not load it.
 */
export const fileAccess = { download, followSigned };

export type FileAccess = typeof fileAccess;

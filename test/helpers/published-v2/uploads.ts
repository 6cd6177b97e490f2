import { asset, envelope } from './documents.js';
import type { Story } from './story.js';

/** How a server answers the operations of an upload, and what a client makes of it. */
export interface UploadStory {
  readonly title: string;
  readonly assets: NonNullable<Story['assets']>;
  /** How often the bytes are sent. */
  readonly posts: number;
  /** The tag of the error; none where the upload succeeds. */
  readonly error?: string;
}

const page413 = { status: 413, body: '<html>413 Request Entity Too Large</html>' };

/** Uploads, in each spelling that servers are known to use. */
export const uploadStories: readonly UploadStory[] = [
  { title: 'unknown bytes', assets: { head: 404 }, posts: 1 },
  {
    title: 'bytes that became known meanwhile',
    assets: { head: 404, post: { status: 200, body: asset({ created_new: false }) } },
    posts: 1,
  },
  {
    title: 'known bytes without a record, which the upload makes',
    assets: { head: 200, fromHash: { status: 201, body: asset() } },
    posts: 0,
  },
  {
    title: 'known bytes that have a record',
    assets: { head: 200, fromHash: { status: 200, body: asset({ created_new: false }) } },
    posts: 0,
  },
  { title: 'bytes that were forgotten after HEAD', assets: { head: 200 }, posts: 1 },
  { title: 'a server without HEAD', assets: { head: 405 }, posts: 1 },
  { title: 'a HEAD of 204', assets: { head: 204 }, posts: 1 },
  {
    title: 'a picture that was stripped, so that its hash is another',
    assets: { post: { status: 201, body: asset({ hash: `blake3:${'12'.repeat(32)}` }) } },
    posts: 1,
  },
  {
    title: 'a 413 with an envelope',
    assets: { post: { status: 413, body: envelope('payload_too_large') } },
    posts: 1,
    error: 'TooLarge',
  },
  { title: 'a 413 of a gateway', assets: { post: page413 }, posts: 1, error: 'TooLarge' },
  {
    title: 'bytes that were damaged on the way',
    assets: { post: { status: 409, body: envelope('hash_mismatch') } },
    posts: 1,
    error: 'HashMismatch',
  },
];

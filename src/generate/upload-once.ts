import type { InputFile } from './generate-types.js';
import { sniffMediaType } from '../core/protocol/media-type.js';
import type { UploadedFile } from '../core/protocol/file-ref.js';

/** How many uploads a client remembers. */
const maxRemembered = 1000;

/** A file of a service. */
export interface OnceUploaded {
  /** What the service calls it. */
  readonly uploaded: UploadedFile;
  /** Whether it was uploaded before: the service may have lost it since. */
  readonly isRemembered: boolean;
}

/** Uploads a file where this client has not uploaded the same bytes before, or in any case if `isAgain`. */
export type UploadOnce = (file: InputFile, isAgain: boolean) => Promise<OnceUploaded>;

/** Makes the uploads of one client. An upload goes on where its caller leaves: others may wait for it. */
export const uploadOnce = (
  upload: (content: Blob, filename: string) => Promise<UploadedFile>,
): UploadOnce => {
  const uploads = new Map<string, Promise<UploadedFile>>();
  return async (file, isAgain) => {
    const { content, filename } = await blobOf(file);
    const digest = await sha256(content);
    const known = digest === undefined || isAgain ? undefined : uploads.get(digest);
    if (known !== undefined) return { uploaded: await known, isRemembered: true };
    const uploading = upload(content, filename ?? (await nameOf(content, digest)));
    if (digest !== undefined) {
      uploads.set(digest, uploading);
      for (const oldest of [...uploads.keys()].slice(0, -maxRemembered)) uploads.delete(oldest);
      // A later call tries again.
      uploading.catch(() => uploads.delete(digest));
    }
    return { uploaded: await uploading, isRemembered: false };
  };
};

/** The bytes of a file, whole, and the name that it brings. */
const blobOf = async (file: InputFile): Promise<{ readonly content: Blob; readonly filename?: string }> => {
  if (file instanceof Blob)
    return 'name' in file ? { content: file, filename: String(file.name) } : { content: file };
  if (file instanceof ArrayBuffer || file instanceof Uint8Array)
    return { content: new Blob([file as BlobPart]) };
  if ('content' in file) return { ...(await blobOf(file.content)), filename: file.filename };
  const reading = streams.get(file) ?? wholeOf(file);
  streams.set(file, reading);
  return { content: await reading };
};

/** What was read of streams, which can be read once. */
const streams = new WeakMap<ReadableStream | AsyncIterable<Uint8Array>, Promise<Blob>>();

const wholeOf = async (file: ReadableStream | AsyncIterable<Uint8Array>): Promise<Blob> => {
  if (file instanceof ReadableStream) return new Response(file).blob();
  const chunks: Uint8Array[] = [];
  for await (const chunk of file) chunks.push(chunk);
  return new Blob(chunks as BlobPart[]);
};

/** Undefined in a page that was loaded without encryption, which has no `subtle`: each of its calls uploads anew. */
const sha256 = async (content: Blob): Promise<string | undefined> => {
  const subtle = globalThis.crypto.subtle as SubtleCrypto | undefined;
  const digest = await subtle?.digest('SHA-256', await content.arrayBuffer());
  return digest && Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
};

/** The name of bytes without one: the extension tells loaders what they are. */
const nameOf = async (content: Blob, digest = 'input'): Promise<string> => {
  const start = new Uint8Array(await content.slice(0, 64).arrayBuffer());
  const [, kind = 'bin'] = (sniffMediaType(start) ?? content.type).split('/');
  return `${digest.slice(0, 16)}.${extensions[kind] ?? kind.replace(/[^a-z0-9].*/u, '')}`;
};

const extensions: Readonly<Record<string, string>> = {
  jpeg: 'jpg',
  mpeg: 'mp3',
  quicktime: 'mov',
  'svg+xml': 'svg',
};

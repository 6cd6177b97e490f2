import type { FormPart } from '../platform.js';
import { open } from 'node:fs/promises';
import { openAsBlob } from 'node:fs';
import { randomUUID } from 'node:crypto';

/** A form on the wire. */
export interface Multipart {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Writes a form as `multipart/form-data` of a known length, as `FormData` would; files are read as they are sent. */
export const multipart = (parts: readonly FormPart[]): Multipart => {
  const boundary = `----promptwire-${randomUUID()}`;
  const sections = parts.map((part) => ({ part, head: bytesOf(`--${boundary}\r\n${headOf(part)}\r\n\r\n`) }));
  const tail = bytesOf(`--${boundary}--\r\n`);
  const length = sections.reduce(
    (sum, { part, head }) => sum + head.byteLength + contentBytes(part) + lineBreak.byteLength,
    tail.byteLength,
  );
  return {
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(length),
    },
    body: (async function* () {
      for (const { part, head } of sections) {
        yield head;
        if ('value' in part) yield bytesOf(part.value);
        else yield* blobPieces(part.content);
        yield lineBreak;
      }
      yield tail;
    })(),
  };
};

const bytesOf = (text: string): Uint8Array => Buffer.from(text);
const lineBreak = bytesOf('\r\n');

const contentBytes = (part: FormPart): number =>
  'value' in part ? Buffer.byteLength(part.value) : part.content.size;

const headOf = (part: FormPart): string => {
  const name = `Content-Disposition: form-data; name="${quoted(part.name)}"`;
  return 'value' in part
    ? name
    : `${name}; filename="${quoted(part.filename)}"\r\nContent-Type: ${part.content.type || 'application/octet-stream'}`;
};

/** As browsers do it: what would end the name or the line is percent-encoded, nothing else. */
const quoted = (text: string): string =>
  text.replace(/["\r\n]/gu, (character) => encodeURIComponent(character));

/**
 * The bytes of a blob, piece by piece; each is good only until the next one is asked for.
 *
 * Those of a file are read into two buffers in turn, one while the other is sent: a fresh buffer for each piece leaves the
 * whole file to the garbage collector. Throws where the file has become shorter.
 */
const blobPieces = (blob: Blob): AsyncIterable<Uint8Array> => {
  const path = pathOfBlob(blob);
  return path === undefined ? slices(blob) : filePieces(path, blob.size);
};

const pieceBytes = 256 * 1024;

async function* slices(blob: Blob): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < blob.size; at += pieceBytes) {
    yield new Uint8Array(await blob.slice(at, at + pieceBytes).arrayBuffer());
  }
}

async function* filePieces(path: string, size: number): AsyncGenerator<Uint8Array, void, undefined> {
  const file = await open(path);
  try {
    let [buffer, other] = [new Uint8Array(pieceBytes), new Uint8Array(pieceBytes)];
    const read = async (from: number): Promise<number> => {
      const { bytesRead } = await file.read(buffer, 0, Math.min(pieceBytes, size - from), from);
      if (bytesRead === 0) throw Object.assign(new Error('the file became shorter'), { code: 'EIO' });
      return bytesRead;
    };
    let reading = size > 0 ? read(0) : undefined;
    for (let at = 0; reading !== undefined;) {
      const bytes = await reading;
      // What is shorter than a socket's own buffer may still wait there when its turn comes again.
      const piece = bytes === pieceBytes ? buffer : buffer.slice(0, bytes);
      [buffer, other] = [other, buffer];
      at += bytes;
      reading = at < size ? read(at) : undefined;
      reading?.catch(() => undefined);
      yield piece;
    }
  } finally {
    await file.close();
  }
}

/** A blob of a file, whose bytes are read when they are asked for. */
export const diskBlob = async (path: string): Promise<Blob> => {
  const blob = await openAsBlob(path);
  paths.set(blob, path);
  return blob;
};

/** Where the file of a {@link diskBlob} is; undefined for any other blob. */
const pathOfBlob = (blob: Blob): string | undefined => paths.get(blob);

const paths = new WeakMap<Blob, string>();

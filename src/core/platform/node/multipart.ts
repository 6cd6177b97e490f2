import { type FormPart, TransportError } from '../platform.js';
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
        else yield* contentOf(part.content);
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

async function* contentOf(blob: Blob): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* blob.stream();
  } catch {
    // A file is only readable while it is as it was when it was opened.
    throw new TransportError('EIO', 'the file changed while it was sent', false);
  }
}

const headOf = (part: FormPart): string => {
  const name = `Content-Disposition: form-data; name="${quoted(part.name)}"`;
  return 'value' in part
    ? name
    : `${name}; filename="${quoted(part.filename)}"\r\nContent-Type: ${part.content.type || 'application/octet-stream'}`;
};

/** As browsers do it: what would end the name or the line is percent-encoded, nothing else. */
const quoted = (text: string): string =>
  text.replace(/["\r\n]/gu, (character) => encodeURIComponent(character));

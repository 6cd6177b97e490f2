import { formParts, type PartSink } from './form-parts.js';
import type { Clock } from '../../../core/platform/platform.js';
import { gatheredBlob } from './gathered-blob.js';
import { HttpRefusal } from './refusal.js';
import { sliceOf } from '../../../core/platform/in-slices.js';

/** The bounds of a form beside the bytes of its body. */
export interface FormLimit {
  /** How many bytes its fields that are no files may have together. */
  readonly textBytes: number;
}

/** The most fields and files that a form may have. */
const maxParts = 1_000;

/**
 * Reads a form (`multipart/form-data`) while its bytes arrive: a file stands in memory once, and pieces that have arrived together are worked on
 * in slices. Throws `HttpRefusal`, and what the body errors with.
 */
export const readForm = async (
  body: ReadableStream<Uint8Array> | null,
  contentType: string,
  limit: FormLimit,
  clock: Pick<Clock, 'now' | 'after'>,
): Promise<FormData> => {
  const form = new FormData();
  let parts = 0;
  let textBytes = 0;

  const open = (head: string): PartSink => {
    const { name, filename, mediaType } = readHead(head);
    if ((parts += 1) > maxParts) throw tooManyParts;
    if (filename !== undefined) {
      const content = gatheredBlob();
      const close = (): void => form.append(name, new File(content.parts(), filename, { type: mediaType }));
      return { add: content.add, close };
    }
    const decoder = new TextDecoder();
    let text = '';
    return {
      add: (bytes) => {
        if ((textBytes += bytes.byteLength) > limit.textBytes) throw tooMuchText(limit);
        text += decoder.decode(bytes, { stream: true });
      },
      close: () => form.append(name, text + decoder.decode()),
    };
  };

  const boundary = boundaryOf(contentType);
  if (boundary === undefined) throw noForm;
  const read = formParts(boundary, open);
  const slice = sliceOf(clock);
  for await (const chunk of body ?? []) {
    if (!read.push(chunk)) throw noForm;
    if (slice.isOver()) await slice.next();
  }
  if (!read.isWhole()) throw noForm;
  return form;
};

/** The boundary of `multipart/form-data`, which has 1 to 70 characters (RFC 2046). */
const boundaryOf = (contentType: string): string | undefined => {
  if (!/^\s*multipart\/form-data\s*;/iu.test(contentType)) return undefined;
  const boundary = parametersOf(contentType).get('boundary') ?? '';
  return /^[\x20-\x7e]{1,70}$/u.test(boundary) ? boundary : undefined;
};

interface Head {
  readonly name: string;
  /** The name of a file; undefined for a field. */
  readonly filename: string | undefined;
  readonly mediaType: string;
}

/** Reads the head of a part: its name, and of a file what it is called and its media type. */
const readHead = (head: string): Head => {
  const headers = new Map(
    head.split('\r\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, Math.max(0, colon)).trim().toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  const disposition = headers.get('content-disposition') ?? '';
  const parameters = parametersOf(disposition);
  const name = parameters.get('name');
  if (name === undefined || !/^form-data\s*;/iu.test(disposition)) throw noForm;
  return {
    name: unescaped(name),
    filename: extended(parameters.get('filename*')) ?? plain(parameters.get('filename')),
    mediaType: headers.get('content-type') ?? 'text/plain',
  };
};

/** The parameters of a header, the first of each name. */
const parametersOf = (header: string): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  for (const [, name = '', quoted, token] of header.matchAll(
    /;\s*([\w*-]+)\s*=\s*(?:"([^"]*)"|([^\s;"]*))/gu,
  )) {
    const key = name.toLowerCase();
    if (!found.has(key)) found.set(key, quoted ?? token ?? '');
  }
  return found;
};

/** What browsers write in place of line ends and quotes, as HTML has it. */
const unescaped = (text: string): string =>
  text.replaceAll(/%0D|%0A|%22/giu, (code) => decodeURIComponent(code));

const plain = (filename: string | undefined): string | undefined =>
  filename === undefined ? undefined : unescaped(filename);

/** A name in the form of RFC 8187, as some clients send it for letters beyond ASCII. */
const extended = (value: string | undefined): string | undefined => {
  const [, encoded] = /^utf-8'[^']*'(.*)$/iu.exec(value ?? '') ?? [];
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded);
  } catch {
    throw noForm;
  }
};

const noForm = new HttpRefusal({
  status: 400,
  code: 'invalid_request',
  message: 'The body is not a form.',
});

const tooManyParts = new HttpRefusal({
  status: 413,
  code: 'payload_too_large',
  message: `A form may have at most ${maxParts} fields and files.`,
});

const tooMuchText = ({ textBytes }: FormLimit): HttpRefusal =>
  new HttpRefusal({
    status: 413,
    code: 'payload_too_large',
    message: `The fields of a form may have at most ${textBytes} bytes beside its files (limits.bodyBytes of the gateway).`,
  });

import { backoff } from '../platform/backoff.js';
import { downloadFailed } from '../http/file-body.js';
import type { DownloadOptions, SavedFile } from './download-state.js';
import { type PartFileWriter, partFileWriter } from './part-file.js';
import * as E from '../protocol/either.js';
import type { Files, Platform } from '../platform/platform.js';
import { fileSystemError } from './file-system-error.js';
import { isServiceError, serviceError } from '../errors/service-error.js';
import { mediaTypeOfName, sniffMediaType } from '../protocol/media-type.js';
import type { OutputFile } from '../state/output-files.js';
import { pause } from '../http/pause.js';
import { sampleOf } from '../redaction/redact.js';
import type { ServiceError } from '../errors/errors.js';
import type { ViewFile } from '../http/rest.js';

/** The progress of one file; `saved` or `failed` comes last. */
export type FileProgress =
  | { readonly _tag: 'received'; readonly bytes: number; readonly expected: number | undefined }
  | { readonly _tag: 'saved'; readonly file: SavedFile }
  | { readonly _tag: 'failed'; readonly filename: string; readonly error: ServiceError };

/** Options of saving a file. */
export interface SaveFileOptions extends Pick<DownloadOptions, 'maxBytes' | 'overwrite'> {
  readonly platform: Platform;
  readonly view: ViewFile;
  readonly redact: (text: string) => string;
  readonly files: Files;
  /** Real path of the folder. */
  readonly folder: string;
  /** Safe name to save it under. */
  readonly name: string;
  readonly signal: AbortSignal;
}

/**
 * Fetches one file into a part file and gives it its name when it is whole; never throws.
 *
 * What the network or the storage spoiled is asked for again, at most three times, each time by a new signed address, and
 * from where it broke off if the storage still has the same file. In every other end the part file is removed, also when
 * `signal` aborts.
 */
export async function* saveFile(file: OutputFile, options: SaveFileOptions): AsyncGenerator<FileProgress> {
  const { platform, signal, overwrite = false, redact } = options;
  const part = partFileWriter({ ...options, overwrite });
  try {
    for (let failures = 0; ; failures += 1) {
      const error = yield* attempt(file, part, options);
      if (error === undefined) return;
      if (failures === maxRetries || !isWorthAnotherTry(error)) {
        await part.drop();
        yield { _tag: 'failed', filename: sampleOf(file.filename, 200, redact), error };
        return;
      }
      if (isOfOtherBytes(error)) await part.drop();
      yield { _tag: 'received', bytes: part.bytes(), expected: undefined };
      const timeoutMs = backoff(failures, platform.random());
      await pause({ clock: platform.clock, timeoutMs, signal });
    }
  } finally {
    await part.drop();
  }
}

const maxRetries = 3;

async function* attempt(
  file: OutputFile,
  part: PartFileWriter,
  { view, signal, redact, maxBytes = Infinity }: SaveFileOptions,
): AsyncGenerator<FileProgress, ServiceError | undefined, undefined> {
  const resume = part.resumePoint();
  const content = await view(file, { signal, ...(resume === undefined ? {} : { resume }) })();
  if (E.isLeft(content)) return content.left;
  const { size, body, discard } = content.right;
  const context = { endpoint: 'GET /api/view', redact };
  try {
    if (size !== undefined && size > maxBytes) throw tooLarge(file, maxBytes, redact);
    const known = part.size();
    if (content.right.offset && known !== undefined && size !== known) {
      throw downloadFailed(file.filename, `${size} bytes are announced of what had ${known}`, context, {
        status: 206,
      });
    }
    await part.begin(content.right);
    yield { _tag: 'received', bytes: part.bytes(), expected: size };
    for await (const chunk of body) {
      if (part.bytes() + chunk.byteLength > maxBytes) throw tooLarge(file, maxBytes, redact);
      await part.write(chunk);
      yield { _tag: 'received', bytes: part.bytes(), expected: size };
    }
    const problem = contentProblem(file.filename, part.head());
    if (problem !== undefined) {
      await part.drop();
      return downloadFailed(file.filename, problem, context);
    }
    const [bytes, mediaType] = [part.bytes(), mediaTypeOf(file, part.head())];
    const path = await part.commit();
    yield { _tag: 'saved', file: { ...file, mediaType, path, bytes, verified: size !== undefined } };
    return undefined;
  } catch (cause) {
    return isServiceError(cause) ? cause : fileSystemError(cause, file.filename);
  } finally {
    discard();
  }
}

/** The bytes know best, but for what the same container may hold: sound alone, or pictures with it. */
const mediaTypeOf = ({ mediaType }: OutputFile, head: Uint8Array): string => {
  const seen = sniffMediaType(head);
  return seen === undefined || seen.split('/')[1] === mediaType.split('/')[1] ? mediaType : seen;
};

const tooLarge = (
  { filename }: OutputFile,
  maxBytes: number,
  redact: (text: string) => string,
): ServiceError =>
  serviceError('DownloadFailed', {
    message: `The file ${sampleOf(filename, 200, redact)} is larger than ${maxBytes} bytes.`,
    hint: 'Raise maxBytes if you want it.',
    retry: 'never',
    filename: redact(filename),
    reason: 'larger than maxBytes',
  });

/** A file that the service does not have, a full disk and a refused key stay what they are. */
const isWorthAnotherTry = ({ _tag, retry, status }: ServiceError): boolean =>
  (_tag === 'DownloadFailed' && retry === 'after' && status !== 404) || _tag === 'Timeout';

/** The storage answered a request for the rest by a part that does not fit to what is there. */
const isOfOtherBytes = ({ status }: ServiceError): boolean =>
  status === 206 || status === 412 || status === 416;

/**
 * Says why these first bytes (64 are enough) can't belong to a file of that name; undefined if they may.
 *
 * Storage answers some failures with a page and the status of a success. So a name of a picture, film or sound must not
 * hold text, and one of PNG, JPEG, GIF or WebP must begin like some known medium; another medium than the name says is
 * fine, as services do mix them up (docs/protocol.md, chapter 8).
 */
export const contentProblem = (filename: string, head: Uint8Array): string | undefined => {
  const expected = mediaTypeOfName(filename);
  if (expected === undefined || !isBinary(expected) || sniffMediaType(head) !== undefined) return undefined;
  if (head.byteLength === 0) return 'it is empty';
  const start = textOf(head);
  if (start !== undefined) return `it holds ${kindOfText(start)} instead of ${expected}`;
  return strict.has(expected) ? `it does not begin like ${expected}` : undefined;
};

const isBinary = (mediaType: string): boolean =>
  (/^(?:image|video|audio)\//u.test(mediaType) && mediaType !== 'image/svg+xml') ||
  mediaType === 'model/gltf-binary';

const strict: ReadonlySet<string> = new Set([
  'image/png',
  'image/apng',
  'image/jpeg',
  'image/gif',
  'image/webp',
]);

/** Undefined for bytes that text does not have. */
const textOf = (head: Uint8Array): string | undefined => {
  const text = new TextDecoder().decode(head.subarray(0, 64), { stream: true });
  return /[\u0000-\u0008\u000e-\u001f\u007f\ufffd]/u.test(text) ? undefined : text.trimStart();
};

const kindOfText = (start: string): string => {
  if (start.startsWith('<')) return /^<(?:!doctype\s+)?html/iu.test(start) ? 'an HTML page' : 'markup (XML)';
  return /^[{[]/u.test(start) ? 'JSON' : 'text';
};

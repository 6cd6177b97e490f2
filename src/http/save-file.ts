import * as E from 'fp-ts/lib/Either.js';
import { backoff } from '../protocol/backoff.js';
import type { ServiceError } from '../protocol/errors.js';
import type { OutputFile } from '../protocol/output-files.js';
import { isServiceError, serviceError } from '../protocol/service-error.js';
import type { Files, PartFile, Platform } from '../socket/platform.js';
import type { DownloadOptions, SavedFile } from './download-state.js';
import { fileSystemError } from './file-system-error.js';
import { pause } from './pause.js';
import type { FileContent, Rest } from './rest.js';

/** What one file tells while it is fetched; `saved` or `failed` comes last. */
export type FileProgress =
  | { readonly _tag: 'received'; readonly bytes: number; readonly expected: number | undefined }
  | { readonly _tag: 'saved'; readonly file: SavedFile }
  | { readonly _tag: 'failed'; readonly filename: string; readonly error: ServiceError };

/** What saving a file needs. */
export interface SaveFileOptions extends Pick<DownloadOptions, 'maxBytes' | 'overwrite'> {
  readonly platform: Platform;
  readonly view: Rest['view'];
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
 * What the network or the storage spoiled is asked for again, at most three times, each time by a new signed address. In
 * every other end the part file is removed, also when `signal` aborts.
 */
export async function* saveFile(file: OutputFile, options: SaveFileOptions): AsyncGenerator<FileProgress> {
  const { platform, signal } = options;
  for (let failures = 0; ; failures += 1) {
    const error = yield* attempt(file, options);
    if (error === undefined) return;
    if (failures === maxRetries || !isWorthAnotherTry(error)) {
      yield { _tag: 'failed', filename: file.filename, error };
      return;
    }
    yield { _tag: 'received', bytes: 0, expected: undefined };
    const timeoutMs = backoff(failures, platform.random());
    await pause({ clock: platform.clock, timeoutMs, signal });
  }
}

const maxRetries = 3;

async function* attempt(
  file: OutputFile,
  options: SaveFileOptions,
): AsyncGenerator<FileProgress, ServiceError | undefined, undefined> {
  const { view, files, folder, name, signal, overwrite = false, maxBytes = Infinity } = options;
  const content = await view(file, { signal })();
  if (E.isLeft(content)) return content.left;
  let part: PartFile | undefined;
  try {
    const { size, body } = content.right;
    if (size !== undefined && size > maxBytes) throw tooLarge(file, maxBytes);
    part = await onDisk(name, () => files.create(folder, name, { overwrite }));
    const target = part;
    yield { _tag: 'received', bytes: 0, expected: size };
    let bytes = 0;
    for await (const chunk of body) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw tooLarge(file, maxBytes);
      await onDisk(name, () => target.write(chunk));
      yield { _tag: 'received', bytes, expected: size };
    }
    const path = await onDisk(name, () => target.commit());
    part = undefined;
    yield { _tag: 'saved', file: { ...file, path, bytes, verified: size !== undefined } };
    return undefined;
  } catch (cause) {
    return isServiceError(cause) ? cause : fileSystemError(cause, name);
  } finally {
    await release(content.right, part);
  }
}

const release = async (content: FileContent, part: PartFile | undefined): Promise<void> => {
  content.discard();
  // The reason for giving up is what counts; a part file that can't be removed stays under its own name.
  await part?.discard().catch(() => undefined);
};

const onDisk = async <A>(name: string, work: () => Promise<A>): Promise<A> => {
  try {
    return await work();
  } catch (cause) {
    throw fileSystemError(cause, name);
  }
};

const tooLarge = ({ filename }: OutputFile, maxBytes: number): ServiceError =>
  serviceError('DownloadFailed', {
    message: `The file ${filename} is larger than ${maxBytes} bytes.`,
    hint: 'Raise maxBytes if you want it.',
    retry: 'never',
    filename,
    reason: 'larger than maxBytes',
  });

/** A file that the service does not have, a full disk and a refused key stay what they are. */
const isWorthAnotherTry = ({ _tag, retry, status }: ServiceError): boolean =>
  (_tag === 'DownloadFailed' && retry === 'after' && status !== 404) ||
  _tag === 'Network' ||
  _tag === 'Timeout';

import {
  type Asset,
  assetByHashEndpoint,
  assetFromHashEndpoint,
  uploadAssetEndpoint,
} from '../../endpoints/v2/assets.js';
import { backoff } from '../../platform/backoff.js';
import { call } from '../call.js';
import { CallScope } from '../call-scope.js';
import { pause } from '../pause.js';
import type { CallOptions, UploadOptions } from '../rest-options.js';
import * as E from '../../protocol/either.js';
import { endedError } from '../failure.js';
import type { Handle } from '../attempt.js';
import { hashBlob } from './hash-blob.js';
import type { HttpConnection, UploadFile } from '../connection.js';
import { keyReuse, readRefusal } from '../refusal.js';
import { request } from '../request.js';
import type { ServiceError } from '../../errors/errors.js';
import { serviceError } from '../../errors/service-error.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { UploadedFile } from '../../protocol/file-ref.js';

/**
 * Makes an asset of an opened file, and sends its bytes only where the service does not have them (docs/protocol.md, chapter 12.8).
 *
 * The file is hashed as it is read. Where the service knows the hash, the asset is made of it; any other answer than 200 to that
 * question has the bytes sent, with the hash for the service to compare. An upload whose answer was lost is looked up by its hash
 * before the bytes are sent again, with a new key, at most twice. The hash that the service gives is the one that counts: it may
 * have taken location data out of a picture. Without WebAssembly the bytes are sent at once, and without a hash.
 */
export const uploadAsset =
  (
    connection: HttpConnection,
    file: Promise<E.Either<ServiceError, UploadFile>>,
    options: UploadOptions = {},
    hash = hashBlob,
  ): TaskEither<ServiceError, UploadedFile> =>
  async () => {
    const opened = await file;
    if (E.isLeft(opened)) return opened;
    const { timeoutMs, signal } = options;
    const each = { timeoutMs, signal };
    const hashed = await hashOf(connection, opened.right, hash, each);
    if (E.isLeft(hashed)) return hashed;
    const filePath = pathOf(opened.right.filename, options.subfolder);
    const named = { ...opened.right, filePath, hash: hashed.right };
    const asset = await storedAsset(connection, named, each);
    return E.isRight(asset) ? E.right(uploadedFile(asset.right, filePath)) : asset;
  };

/** The file on its way: its bytes, what to call them, and their hash where it is known. */
interface HashedFile extends UploadFile {
  readonly filePath: string;
  readonly hash: string | undefined;
}

const hashOf = async (
  { platform: { clock }, closed, redact }: HttpConnection,
  { content, filename }: UploadFile,
  hash: typeof hashBlob,
  { timeoutMs, signal }: CallOptions,
): Promise<E.Either<ServiceError, string | undefined>> => {
  const scope = new CallScope({ clock, timeoutMs: timeoutMs ?? Infinity, signal, closed });
  if (timeoutMs !== undefined) scope.patient();
  try {
    return E.right(await hash(content, scope));
  } catch {
    const ending = scope.ending();
    const context = { endpoint: 'POST /api/v2/assets', timeoutMs: timeoutMs ?? 0, redact };
    // A file is only readable while it is as it was when it was opened.
    return E.left(
      ending === undefined
        ? serviceError('FileSystem', {
            message: `${redact(filename)} changed while it was read (EIO).`,
            code: 'EIO',
            path: redact(filename),
          })
        : endedError(ending, 'unsent', context),
    );
  } finally {
    scope.release();
  }
};

const storedAsset = async (
  connection: HttpConnection,
  file: HashedFile,
  options: CallOptions,
): Promise<E.Either<ServiceError, Asset>> => {
  const { platform, closed } = connection;
  for (let resent = 0; ; resent += 1) {
    const known = await knownAsset(connection, file, options);
    if (E.isLeft(known)) return known;
    if (known.right !== undefined) return E.right(known.right);
    const sent = await request(connection)(newUpload(connection, file), options)();
    if (E.isRight(sent) || resent === maxResent || !mayHaveArrived(sent.left)) return sent;
    const timeoutMs = backoff(resent, platform.random());
    const ending = await pause({ clock: platform.clock, timeoutMs, signal: options.signal, closed });
    if (ending !== undefined) return sent;
  }
};

const maxResent = 2;

const newUpload = ({ platform }: HttpConnection, { content, filename, filePath, hash }: HashedFile) =>
  uploadAssetEndpoint({
    content,
    filename,
    filePath,
    hash,
    contentType: content.type || contentTypeOf(filename),
    idempotencyKey: platform.uuid(),
  });

/** Of what workflows load; the table of all media types would weigh on a page that uploads nothing. */
const contentTypeOf = (filename: string): string => {
  const extension = filename.slice(filename.lastIndexOf('.') + 1).toLowerCase();
  return contentTypes.get(extension) ?? 'application/octet-stream';
};

const contentTypes: ReadonlyMap<string, string> = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['webp', 'image/webp'],
  ['gif', 'image/gif'],
  ['mp4', 'video/mp4'],
  ['webm', 'video/webm'],
  ['wav', 'audio/wav'],
  ['mp3', 'audio/mpeg'],
  ['flac', 'audio/flac'],
]);

/** Whether the service may have the bytes although it did not say so: the answer was lost, or a gateway sent the request twice. */
const mayHaveArrived = ({ _tag, errorType, retry, retryAfterMs }: ServiceError): boolean =>
  (_tag === 'Network' && retry !== 'never') ||
  (_tag === 'ServerError' && retryAfterMs === undefined) ||
  errorType === keyReuse;

/** The asset of bytes that the service has; Right undefined if they have to be sent. */
const knownAsset = async (
  connection: HttpConnection,
  { filePath, hash }: HashedFile,
  options: CallOptions,
): Promise<E.Either<ServiceError, Asset | undefined>> => {
  if (hash === undefined) return E.right(undefined);
  const isKnown = await call(connection, assetByHashEndpoint(hash), options, isOk(connection, hash))();
  // Without a status there was no answer: the bytes would not arrive either.
  if (E.isLeft(isKnown)) return isKnown.left.status === undefined ? isKnown : E.right(undefined);
  if (!isKnown.right) return E.right(undefined);
  const asset = await request(connection)(assetFromHashEndpoint({ filePath, hash }), options)();
  return E.isLeft(asset) && lacksBytes.has(asset.left.status ?? 0) ? E.right(undefined) : asset;
};

const isOk =
  (connection: HttpConnection, hash: string): Handle<boolean> =>
  async (response, scope, context) => {
    const { status } = response;
    if (status < 200 || status > 299) {
      return E.left(await readRefusal(connection, assetByHashEndpoint(hash), response, scope, context));
    }
    scope.release();
    response.discard();
    return E.right(status === 200);
  };

/** The bytes are gone again, or the service has no such route. */
const lacksBytes: ReadonlySet<number> = new Set([404, 405, 410, 501]);

const pathOf = (filename: string, subfolder = ''): string => {
  const folder = subfolder.replace(/\/+$/u, '');
  return folder === '' ? filename : `${folder}/${filename}`;
};

const uploadedFile = ({ filePath, ...asset }: Asset, sentPath: string): UploadedFile => {
  const path = filePath ?? sentPath;
  const slash = path.lastIndexOf('/');
  return {
    name: path.slice(slash + 1),
    subfolder: path.slice(0, Math.max(0, slash)),
    type: 'input',
    asset,
  };
};

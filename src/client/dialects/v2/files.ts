import { assetContent } from '../../../core/http/assets/asset-content.js';
import { assetUrl } from '../../../core/http/assets/asset-url.js';
import { besideV2, notSupported } from './v1-routes.js';
import * as E from '../../../core/protocol/either.js';
import type { CallOptions, FileContent, ViewOptions } from '../../../core/http/rest.js';
import type { FileRef } from '../../../core/protocol/file-ref.js';
import type { HttpConnection } from '../../../core/http/connection.js';
import type { ServiceError } from '../../../core/errors/errors.js';
import type { SignedUrl } from '../../../core/endpoints/v2/assets.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

/** Fetches a file: an asset by its id; any other by its name, by v1 where the service has that as well. */
export const viewFile = (
  connection: HttpConnection,
  byName: TaskEither<ServiceError, FileContent>,
  { asset, ...file }: FileRef,
  options: ViewOptions = {},
): TaskEither<ServiceError, FileContent> => {
  if (asset === undefined) return besideV2(byName, 'files by their names');
  const { channel, res } = options;
  return channel === undefined && res === undefined
    ? assetContent(connection, { ...file, asset }, options)
    : () => Promise.resolve(E.left(notSupported('reduced pictures and single channels')));
};

/** Gives an address of a file that opens without the key. */
export const signedUrl = (
  connection: HttpConnection,
  { asset }: FileRef,
  options?: CallOptions,
): TaskEither<ServiceError, SignedUrl> =>
  asset === undefined
    ? () => Promise.resolve(E.left(notSupported('addresses of files by their names')))
    : assetUrl(connection, asset.id, options);

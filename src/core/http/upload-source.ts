import * as E from '../protocol/either.js';
import type { HttpConnection, UploadFile } from './connection.js';
import type { ServiceError } from '../errors/errors.js';
import { serviceError } from '../errors/service-error.js';
import type { UploadSource } from './rest-options.js';

/**
 * Opens the source of an upload; bytes are copied before this returns.
 *
 * Left is `FileSystem` for a path that can't be read and `InvalidConfig` for a path on a platform without a disk.
 */
export const openSource = async (
  { platform: { files }, openFile }: HttpConnection,
  source: UploadSource,
): Promise<E.Either<ServiceError, UploadFile>> => {
  if (typeof source !== 'string') {
    const { content, filename } = source;
    return E.right({ content: content instanceof Blob ? content : new Blob([content.slice()]), filename });
  }
  if (files === undefined || openFile === undefined) {
    return E.left(
      serviceError('InvalidConfig', {
        option: 'source',
        message: 'A path cannot be uploaded here: there are no files. Pass { content, filename } instead.',
      }),
    );
  }
  return openFile(files, source);
};

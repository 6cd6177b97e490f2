import * as E from '../../core/protocol/either.js';
import type { Endpoint } from '../../core/endpoints/endpoint.js';
import type { FileRef } from '../../core/protocol/file-ref.js';
import type { HttpConnection } from '../../core/http/connection.js';
import type { JobRest } from '../../core/http/rest.js';
import { request } from '../../core/http/request.js';
import type { ServiceError } from '../../core/errors/errors.js';
import { serviceError } from '../../core/errors/service-error.js';
import { viewEndpoint } from '../../core/endpoints/view.js';

/**
 * Uploads a mask for a picture that a local server has.
 *
 * The server answers as usual where it lacks the picture, and writes no file (docs/protocol.md, L.20): so the client asks for the
 * picture first, and nothing is sent for one that is missing.
 */
export const uploadLocalMask =
  (connection: HttpConnection, rest: JobRest): JobRest['uploadMask'] =>
  (source, original, options = {}) =>
  async () => {
    const { signal, timeoutMs } = options;
    const seen = await request(connection)(hasFile(original), { signal, timeoutMs })();
    // A proxy may know no HEAD: only the server's own word counts.
    return E.isLeft(seen) && seen.left._tag === 'NotFound'
      ? E.left(missing(original, seen.left))
      : rest.uploadMask(source, original, options)();
  };

/** Whether a file is there: its headers alone. */
const hasFile = (file: FileRef): Endpoint<undefined> => {
  const { path, query = {} } = viewEndpoint(file);
  return { method: 'HEAD', path, query, idempotency: 'always', read: () => E.right(undefined) };
};

const missing = (
  { filename, subfolder = '', type = 'output' }: FileRef,
  { endpoint, status, hint }: ServiceError,
): ServiceError => {
  const path = subfolder === '' ? filename : `${subfolder}/${filename}`;
  const message = `The server has no file ${path} of the type ${type}, so there is nothing to mask.`;
  return serviceError('NotFound', { message, hint, endpoint, status });
};

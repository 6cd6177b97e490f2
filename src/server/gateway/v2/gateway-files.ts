import type { FileContent, ViewOptions } from '../../../core/http/rest-options.js';
import type { FileRef, UploadedFile } from '../../../core/protocol/file-ref.js';
import type { ServiceError } from '../../../core/errors/errors.js';
import type { FiledJob, GatewayService } from '../services/gateway-service.js';
import type { JobOwner } from '../model/gateway-jobs.js';
import { isLeft, left, right } from '../../../core/protocol/either.js';
import { serviceError } from '../../../core/errors/service-error.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

/** The files of the services behind the gateway. */
export interface GatewayFiles {
  /** Sends a file to the client that takes the caller's. */
  readonly upload: (
    owner: JobOwner,
    source: { readonly content: Blob; readonly filename: string },
  ) => TaskEither<ServiceError, { readonly client: string; readonly file: UploadedFile }>;
  /** Sends a mask of a picture to the client that has the picture. */
  readonly uploadMask: (
    client: string,
    source: { readonly content: Blob; readonly filename: string },
    original: FileRef,
    server?: string,
  ) => TaskEither<ServiceError, UploadedFile>;
  /** Keeps the output of a job where later jobs find it; Right undefined if they do so anyway. */
  readonly bring: (
    client: string,
    file: FileRef,
    job: FiledJob,
  ) => TaskEither<ServiceError, UploadedFile | undefined>;
  /** Reads an uploaded file of one client's service. */
  readonly view: (
    client: string,
    file: FileRef,
    options?: ViewOptions,
  ) => TaskEither<ServiceError, FileContent>;
}

/** Makes {@link GatewayFiles} of services by name; `nameOf` chooses the one that takes a caller's uploads. */
export const gatewayFiles = (
  clients: Readonly<Record<string, GatewayService>>,
  nameOf: (owner: JobOwner) => string,
): GatewayFiles => ({
  upload: (owner, source) => async () => {
    const name = nameOf(owner);
    const sent = await (Object.hasOwn(clients, name) ? clients[name] : undefined)?.upload(source)();
    if (sent === undefined) return left(gone(name));
    return isLeft(sent) ? sent : right({ client: name, file: sent.right });
  },
  uploadMask: (name, source, original, server) =>
    (Object.hasOwn(clients, name) ? clients[name] : undefined)?.uploadMask(source, original, server) ??
    (() => Promise.resolve(left(gone(name)))),
  bring: (name, file, job) =>
    (Object.hasOwn(clients, name) ? clients[name] : undefined)?.bring?.(file, job) ??
    (() => Promise.resolve(right(undefined))),
  view: (name, file, options) =>
    (Object.hasOwn(clients, name) ? clients[name] : undefined)?.viewUpload(file, options) ??
    (() => Promise.resolve(left(gone(name)))),
});

const gone = (name: string): ServiceError =>
  serviceError('NotSupported', {
    message: `This gateway has no client ${name}, so it has none of its files.`,
  });

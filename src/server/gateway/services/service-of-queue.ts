import * as E from '../../../core/protocol/either.js';
import type { FileContent } from '../../../core/http/rest-options.js';
import { readableContent } from '../../../core/http/view.js';
import type { FileRef, UploadedFile } from '../../../core/protocol/file-ref.js';
import type { GatewayQueue } from './gateway-queue.js';
import type { GatewayService, SentFile } from './gateway-service.js';
import { isServiceError, serviceError } from '../../../core/errors/service-error.js';
import type { ServiceError } from '../../../core/errors/errors.js';

/** A queue that keeps the files of its jobs. */
type FilesOfQueue = Required<Pick<GatewayQueue, 'over' | 'upload' | 'viewUpload'>>;

/**
 * What a gateway asks of a queue over servers, and of the pool beside it that reaches them: the queue keeps what jobs read, so that each job
 * has it on whichever server it runs, and the pool reads what they made. Over an account it is what the account's client does.
 */
export const serviceOfQueue = (queue: GatewayQueue, service: GatewayService): GatewayService => {
  if (!keepsFiles(queue)) return service;
  const keep = async (content: Blob, filename: string): Promise<E.Either<ServiceError, UploadedFile>> =>
    attempt(() => queue.upload({ content, filename }));
  const ifOverServers =
    <A>(
      here: () => Promise<E.Either<ServiceError, A>>,
      elsewhere: () => Promise<E.Either<ServiceError, A>>,
    ) =>
    async (): Promise<E.Either<ServiceError, A>> => {
      const over = await attempt(queue.over);
      if (E.isLeft(over)) return over;
      return over.right === 'servers' ? here() : elsewhere();
    };
  const kept = (name: string): Promise<E.Either<ServiceError, Blob>> => attempt(() => queue.viewUpload(name));
  /** Has a server make the picture, and keeps that: any of them may get a job with it. */
  const masked = async (
    mask: SentFile,
    { filename }: FileRef,
  ): Promise<E.Either<ServiceError, UploadedFile>> => {
    const there = await sent(filename);
    if (E.isLeft(there)) return there;
    const made = await service.uploadMask(mask, there.right)();
    if (E.isLeft(made)) return made;
    const { name, subfolder, type } = made.right;
    return keptCopy(await service.viewUpload({ filename: name, subfolder, type })(), name);
  };
  const sent = async (filename: string): Promise<E.Either<ServiceError, FileRef>> => {
    const content = await kept(filename);
    if (E.isLeft(content)) return content;
    const there = await service.upload({ content: content.right, filename })();
    return E.isLeft(there) ? there : E.right({ ...there.right, filename: there.right.name });
  };
  const keptCopy = async (
    content: E.Either<ServiceError, FileContent>,
    filename: string,
  ): Promise<E.Either<ServiceError, UploadedFile>> => {
    if (E.isLeft(content)) return content;
    const blob = await content.right
      .blob()
      .then(E.right, (cause: unknown) => E.left(unread(filename, cause)));
    return E.isLeft(blob) ? blob : keep(blob.right, filename);
  };

  return {
    ...service,
    upload: (source) => ifOverServers(() => keep(source.content, source.filename), service.upload(source)),
    uploadMask: (mask, original, server) =>
      ifOverServers(() => masked(mask, original), service.uploadMask(mask, original, server)),
    viewUpload: (file, options) =>
      ifOverServers(
        async () => {
          const content = await kept(file.filename);
          return E.isLeft(content) ? content : E.right(contentOf(content.right));
        },
        service.viewUpload(file, options),
      ),
    viewOutput: (file, options, job) => async () =>
      service.viewOutput(file, options, { ...job, server: await serverOf(queue, job.record.submissionId) })(),
    bring: (file, job) =>
      ifOverServers<UploadedFile | undefined>(
        async () => {
          const server = await serverOf(queue, job.record.submissionId);
          return keptCopy(await service.viewOutput(file, undefined, { ...job, server })(), file.filename);
        },
        () => Promise.resolve(E.right(undefined)),
      ),
  };
};

const keepsFiles = (queue: GatewayQueue): queue is GatewayQueue & FilesOfQueue =>
  queue.over !== undefined && queue.upload !== undefined && queue.viewUpload !== undefined;

/** The server that ran a job of the queue; undefined if the queue has none of it. */
const serverOf = async (queue: GatewayQueue, id: string): Promise<string | undefined> =>
  queue.serverOf?.(id).catch(() => undefined);

const contentOf = (blob: Blob): FileContent =>
  readableContent({
    mediaType: blob.type === '' ? 'application/octet-stream' : blob.type,
    size: blob.size,
    body: bytesOf(blob),
    discard: () => undefined,
  });

async function* bytesOf(blob: Blob): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(await blob.arrayBuffer());
}

const unread = (filename: string, cause: unknown): ServiceError =>
  serviceError('DownloadFailed', { filename, reason: 'it could not be read for the queue', cause });

const attempt = async <A>(work: () => Promise<A>): Promise<E.Either<ServiceError, A>> => {
  try {
    return E.right(await work());
  } catch (error) {
    if (isServiceError(error)) return E.left(error);
    throw error;
  }
};

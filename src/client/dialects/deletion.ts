import { pathPart } from '../../core/protocol/path-part.js';
import * as E from '../../core/protocol/either.js';
import type { CallOptions, JobRest } from '../../core/http/rest.js';
import { deleteAssetEndpoint, deleteJobEndpoint, deleteRecordEndpoint } from '../../core/endpoints/delete.js';
import { jobAssetsEndpoint } from '../../core/endpoints/job-assets.js';
import type { FileRef } from '../../core/protocol/file-ref.js';
import type { HttpConnection } from '../../core/http/connection.js';
import { isAbsent } from './jobs-by-api.js';
import { isTerminal } from '../../core/state/job-state.js';
import { request } from '../../core/http/request.js';
import type { ServiceError } from '../../core/errors/errors.js';
import { serviceError } from '../../core/errors/service-error.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

/** What `client.delete` has deleted. */
export interface Deletion {
  /** Whether the record of the job is gone: false if a file alone was deleted. */
  readonly record: boolean;
  /** `deleted`, or `kept`: a local server deletes records only, and its files stay on the disk. */
  readonly files: 'deleted' | 'kept';
}

/** Options of `client.delete`. */
export interface DeleteOptions extends CallOptions {
  /** The job that made the file, which a cloud service needs. */
  readonly promptId?: string | undefined;
}

/** How a dialect deletes. */
export interface Deleting {
  readonly job: (promptId: string, options?: CallOptions) => TaskEither<ServiceError, Deletion>;
  readonly file: (file: FileRef, options?: DeleteOptions) => TaskEither<ServiceError, Deletion>;
}

/** Makes the deletions of a dialect. */
export type DeletingOf = (connection: HttpConnection, rest: Pick<JobRest, 'jobStatus'>) => Deleting;

/** A local server forgets the record; no route of it deletes a file. */
export const deletingLocally: DeletingOf = (connection, rest) => ({
  job: (promptId, options) =>
    onceEnded(rest, promptId, options, async () => {
      const answer = await request(connection)(deleteRecordEndpoint(promptId), options)();
      return E.isLeft(answer) ? answer : E.right({ record: true, files: 'kept' });
    }),
  file: () => () =>
    Promise.resolve(
      E.left(
        cannot(
          'A local server has no route that deletes a file.',
          'Delete it on the disk of the server, in its folder output.',
        ),
      ),
    ),
});

/** The cloud deletes a job with its files, or one of them, where it has the whole jobs API. */
export const deletingInCloud: DeletingOf = (connection, rest) => ({
  job: (promptId, options) =>
    onceEnded(rest, promptId, options, async () => {
      const answer = await request(connection)(deleteJobEndpoint(promptId), options)();
      if (E.isRight(answer)) return E.right({ record: true, files: 'deleted' });
      if (!isAbsent(answer.left)) return answer;
      // A service without the route answers 404 of a job that it still knows.
      const isGone = answer.left.status === 404 && E.isLeft(await rest.jobStatus(promptId, options)());
      return E.left(isGone ? answer.left : noDeletion(answer.left));
    }),
  file:
    (file, { promptId, ...options } = {}) =>
    async () => {
      if (promptId === undefined)
        return E.left(cannot('The service finds a file by its job.', 'Give promptId, the job that made it.'));
      const ask = request(connection);
      const assets = await ask(jobAssetsEndpoint(promptId), options)();
      if (E.isLeft(assets)) return E.left(isAbsent(assets.left) ? noDeletion(assets.left) : assets.left);
      const meant = assets.right.filter(({ name }) => name === file.filename);
      if (meant.length === 0)
        return E.left(
          serviceError('NotFound', { promptId, message: `The job has no file ${file.filename}.` }),
        );
      for (const { id } of meant) {
        const answer = await ask(deleteAssetEndpoint(`/api/assets/${pathPart(id)}`), options)();
        if (E.isLeft(answer) && answer.left._tag !== 'NotFound') return answer;
      }
      return E.right({ record: false, files: 'deleted' });
    },
});

/** API v2 deletes files by their assets, and no job. */
export const deletingInV2: DeletingOf = (connection) => ({
  job: () => () =>
    Promise.resolve(
      E.left(
        cannot(
          'API v2 deletes no jobs.',
          'Delete the files of its outputs; the service forgets a job by itself.',
        ),
      ),
    ),
  file:
    ({ asset, filename }, options) =>
    async () => {
      if (asset === undefined)
        return E.left(cannot(`${filename} has no asset by which API v2 would find it.`));
      const path = `/api/v2/assets/${pathPart(asset.id)}`;
      const answer = await request(connection)(deleteAssetEndpoint(path), options)();
      if (E.isRight(answer)) return E.right({ record: false, files: 'deleted' });
      return E.left(answer.left.status === 405 ? noDeletion(answer.left) : answer.left);
    },
});

/** Services take the deletion of a job that has not ended and do nothing. */
const onceEnded =
  (
    rest: Pick<JobRest, 'jobStatus'>,
    promptId: string,
    options: CallOptions | undefined,
    remove: () => Promise<E.Either<ServiceError, Deletion>>,
  ): TaskEither<ServiceError, Deletion> =>
  async () => {
    const status = await rest.jobStatus(promptId, options)();
    if (E.isLeft(status)) return status;
    const { phase } = status.right;
    return isTerminal(phase)
      ? remove()
      : E.left(
          cannot(
            `The job is ${phase}, and only a job that has ended can be deleted.`,
            'Cancel it first.',
            promptId,
          ),
        );
  };

const cannot = (message: string, hint?: string, promptId?: string): ServiceError =>
  serviceError('NotSupported', { message, hint, promptId });

const noDeletion = ({ endpoint, status, requestId }: ServiceError): ServiceError =>
  serviceError('NotSupported', {
    message: 'The service has no route that deletes this.',
    endpoint,
    status,
    requestId,
  });

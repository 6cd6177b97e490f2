import type { CallOptions, Cancellation, HistoryRecord, JobDetail, JobStatus } from '../../http/rest.js';
import { cancelJobEndpoint, jobEndpoint } from '../../endpoints/v2/job.js';
import { detailOfJob, recordOfJob, statusOfJob } from '../../endpoints/v2/read-job.js';
import * as E from '../../protocol/either.js';
import { endPhaseOf } from '../../endpoints/v2/job-end.js';
import type { HttpConnection } from '../../http/connection.js';
import { request } from '../../http/request.js';
import type { ServiceError } from '../../errors/errors.js';
import { serviceError } from '../../errors/service-error.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

/** Reads how a job stands. */
export const askStatus = (
  connection: HttpConnection,
  promptId: string,
  options?: CallOptions,
): TaskEither<ServiceError, JobStatus> =>
  request(connection)(jobEndpoint(promptId, statusOfJob(promptId)), options);

/** Reads a job with the number of its outputs. */
export const readDetail = (
  connection: HttpConnection,
  promptId: string,
  options?: CallOptions,
): TaskEither<ServiceError, JobDetail> =>
  request(connection)(jobEndpoint(promptId, detailOfJob(promptId)), options);

/** Reads the record of a job: `NotFound` until it has ended. */
export const readRecord =
  (
    connection: HttpConnection,
    promptId: string,
    options?: CallOptions,
  ): TaskEither<ServiceError, HistoryRecord> =>
  async () => {
    const answer = await request(connection)(jobEndpoint(promptId, recordOfJob(promptId)), options)();
    if (E.isLeft(answer)) return answer;
    const { right: record } = answer;
    const message = 'The job has no record yet: it has not ended.';
    return record === undefined ? E.left(serviceError('NotFound', { promptId, message })) : E.right(record);
  };

/** Asks for the end of these jobs, one after the other; those that are over already are not among the `deleted`. */
export const cancelJobs =
  (
    connection: HttpConnection,
    promptIds: readonly string[],
    options?: CallOptions,
  ): TaskEither<ServiceError, Cancellation> =>
  async () => {
    const deleted: string[] = [];
    for (const promptId of promptIds) {
      const answer = await request(connection)(cancelJobEndpoint(promptId, isReached), options)();
      if (E.isLeft(answer)) return answer;
      if (answer.right) deleted.push(promptId);
    }
    return E.right({ deleted });
  };

const isReached = ({ status }: { readonly status: string }): boolean => {
  const end = endPhaseOf(status);
  return end === undefined || end === 'cancelled';
};

import type {
  CallOptions,
  Cancellation,
  HistoryRecord,
  InterruptOptions,
  JobDetail,
  JobStatus,
} from '../../../core/http/rest.js';
import { cancelJobEndpoint, jobEndpoint } from '../../../core/endpoints/v2/job.js';
import { detailOfJob, recordOfJob, statusOfJob } from '../../../core/endpoints/v2/read-job.js';
import { isEnvelope } from '../envelope.js';
import * as E from '../../../core/protocol/either.js';
import { endPhaseOf } from '../../../core/endpoints/v2/job-end.js';
import type { Endpoint } from '../../../core/endpoints/endpoint.js';
import { isJsonObject } from '../../../core/protocol/json/json.js';
import { type JobLogs, logsEndpoint } from '../../../core/endpoints/v2/logs.js';
import { notSupported } from './v1-routes.js';
import type { ServiceError } from '../../../core/errors/errors.js';
import { serviceError } from '../../../core/errors/service-error.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

/** Calls an endpoint of the service. */
export type Ask = <A>(endpoint: Endpoint<A>, options?: CallOptions) => TaskEither<ServiceError, A>;

/** A 404 without the envelope of API v2 is a missing route, or a proxy's page, and says nothing about the job. */
const ofTheService =
  <A>(call: TaskEither<ServiceError, A>): TaskEither<ServiceError, A> =>
  async () => {
    const answer = await call();
    if (E.isRight(answer) || answer.left._tag !== 'NotFound' || isEnvelope(answer.left)) return answer;
    const { endpoint, status, sample } = answer.left;
    const message = 'The service has no route of API v2 for a job.';
    return E.left(serviceError('ProtocolChanged', { message, endpoint, status, sample }));
  };

/** Reads how a job stands. */
export const askStatus = (
  ask: Ask,
  promptId: string,
  options?: CallOptions,
): TaskEither<ServiceError, JobStatus> =>
  ofTheService(ask(jobEndpoint(promptId, statusOfJob(promptId)), options));

/** Reads a job with the number of its outputs. */
export const readDetail = (
  ask: Ask,
  promptId: string,
  options?: CallOptions,
): TaskEither<ServiceError, JobDetail> => ask(jobEndpoint(promptId, detailOfJob(promptId)), options);

/** Reads the record of a job: `NotFound` until it has ended. */
export const readRecord =
  (ask: Ask, promptId: string, options?: CallOptions): TaskEither<ServiceError, HistoryRecord> =>
  async () => {
    const answer = await ofTheService(ask(jobEndpoint(promptId, recordOfJob(promptId)), options))();
    if (E.isLeft(answer)) return answer;
    const { right: record } = answer;
    const message = 'The job has no record yet: it has not ended.';
    return record === undefined ? E.left(serviceError('NotFound', { promptId, message })) : E.right(record);
  };

/** Reads the log of a job; undefined if the job names none, or has none yet. */
export const readJobLogs =
  (ask: Ask, promptId: string, options?: CallOptions): TaskEither<ServiceError, JobLogs | undefined> =>
  async () => {
    const named = await ask(
      jobEndpoint(promptId, ({ urls }) => isJsonObject(urls) && typeof urls['logs'] === 'string'),
      options,
    )();
    if (E.isLeft(named)) return named;
    return named.right ? ask(logsEndpoint(promptId), options)() : E.right(undefined);
  };

/** Asks for the end of these jobs, one after the other; those that are over already are not among the `deleted`. */
export const cancelJobs =
  (ask: Ask, promptIds: readonly string[], options?: CallOptions): TaskEither<ServiceError, Cancellation> =>
  async () => {
    const deleted: string[] = [];
    for (const promptId of promptIds) {
      const answer = await ask(cancelJobEndpoint(promptId, isReached), options)();
      if (E.isLeft(answer)) return answer;
      if (answer.right) deleted.push(promptId);
    }
    return E.right({ deleted });
  };

const isReached = ({ status }: { readonly status: string }): boolean => {
  const end = endPhaseOf(status);
  return end === undefined || end === 'cancelled';
};

/** Ends the running job with this id; without an id there is no such call. */
export const interruptJob = (
  ask: Ask,
  { promptId, ...options }: InterruptOptions,
): TaskEither<ServiceError, void> =>
  promptId === undefined
    ? () => Promise.resolve(E.left(notSupported('the end of every running job at once')))
    : ask(
        cancelJobEndpoint(promptId, () => undefined),
        options,
      );

import type { CallOptions, Pace } from './rest-options.js';
import * as E from '../protocol/either.js';
import type { Endpoint } from '../endpoints/endpoint.js';
import { isJsonObject } from '../protocol/json/json.js';
import type { HttpConnection } from './connection.js';
import { isRouteAbsent, type JobsApi } from './jobs-api.js';
import { type JobDetail, jobDetailEndpoint } from '../endpoints/job-detail.js';
import type { JobStatus } from '../endpoints/job-status.js';
import { request } from './request.js';
import type { ServiceError } from '../errors/errors.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

type Ask = (promptId: string, options?: CallOptions & Pace) => TaskEither<ServiceError, JobStatus>;

/**
 * Reads how a job stands from the jobs API, where the server has one, and by `otherwise` where it has none or fails.
 *
 * A server of a dialect that is `probed` is asked for it by the first status that is read; another one is expected to have it once it has
 * answered for a job, or is asked for the place of one that waits. Its answer has the outputs as well, so that no other request has to follow the end of a job.
 */
export const statusByJobsApi =
  (connection: HttpConnection, jobs: JobsApi, otherwise: Ask): Ask =>
  (promptId, options = {}) =>
  async () => {
    const { jobsApi: kind } = connection.dialect;
    const { seeksPlace = false } = options;
    const isUnmet = kind === 'met' && !jobs.isThere('job') && !seeksPlace;
    if (kind === 'none' || jobs.isAbsent('job') || isUnmet) return otherwise(promptId, options)();
    const isFirst = await jobs.first('job');
    if (!isFirst && jobs.isAbsent('job')) return otherwise(promptId, options)();
    const detail = jobDetailEndpoint(promptId, { workflow: false });
    const ask = request(connection)(kind === 'probed' ? ofAnEngine(detail) : detail, options);
    const answer = await ask().then((answered) => {
      noteAnswer(jobs, kind, answered);
      if (isFirst) jobs.asked('job');
      return answered;
    });
    if (E.isRight(answer)) return E.right(statusOf(answer.right));
    // A local server has looked everywhere; a cloud service may know a job by one route before the other.
    const isFinal =
      answer.left._tag === 'NotFound'
        ? kind === 'probed' && !isRouteAbsent(answer.left, kind)
        : isPassing(answer.left);
    if (isFinal) return answer;
    await options.nextPermit?.();
    return otherwise(promptId, options)();
  };

/** An engine never says when a job was updated, and a cloud service always does: that one is to be told as the other dialect's. */
const ofAnEngine = (endpoint: Endpoint<JobDetail>): Endpoint<JobDetail> => ({
  ...endpoint,
  read: (json, asSent) =>
    isJsonObject(json) && 'update_time' in json
      ? E.left('the answer is not that of an engine')
      : endpoint.read(json, asSent),
});

/**
 * Remembers what an answer about a job shows of the route. What can't be read is not of an engine at all; of a cloud service it may be a
 * page on the way, which says nothing.
 */
export const noteAnswer = (
  jobs: JobsApi,
  kind: HttpConnection['dialect']['jobsApi'],
  answer: E.Either<ServiceError, JobDetail>,
): void => {
  if (E.isRight(answer)) jobs.note('job', 'there');
  else if (isRouteAbsent(answer.left, kind) || (kind === 'probed' && answer.left._tag === 'Decode'))
    jobs.note('job', 'absent');
};

/** What another route would meet as well. */
const isPassing = ({ _tag }: ServiceError): boolean =>
  ['Network', 'Timeout', 'Aborted', 'Closed', 'RateLimited', 'Unauthorized', 'Forbidden'].includes(_tag);

/** The status that the jobs API tells. */
export const statusOf = (detail: JobDetail): JobStatus => {
  const { promptId, status, phase, failure, queue, queuedAt } = detail;
  return {
    promptId,
    status,
    phase,
    ...(failure !== undefined && { failure }),
    ...(queue !== undefined && { queue }),
    ...(queuedAt !== undefined && { createdAt: new Date(queuedAt).toISOString() }),
    detail,
  };
};

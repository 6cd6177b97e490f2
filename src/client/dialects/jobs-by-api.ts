import * as E from '../../core/protocol/either.js';
import type { CallOptions } from '../../core/http/rest.js';
import { cancelJobsEndpoint } from '../../core/endpoints/cancel-jobs.js';
import type { HttpConnection } from '../../core/http/connection.js';
import { jobsPageEndpoint } from '../../core/endpoints/job-list.js';
import type { JobsQuery, ListJobs } from './jobs-query.js';
import { request } from '../../core/http/request.js';
import type { ServiceError } from '../../core/errors/errors.js';
import { serviceError } from '../../core/errors/service-error.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

/** Lists jobs by the jobs API; `more` says how this dialect sorts and pages. */
export const listByJobsApi =
  (connection: HttpConnection, more: (query: JobsQuery) => Readonly<Record<string, string>>): ListJobs =>
  (query, options) =>
  async () => {
    const { phases, labels, workflowId, limit } = query;
    if (labels !== undefined) return E.left(noLabels());
    const endpoint = jobsPageEndpoint({
      limit: String(limit),
      ...(phases.length > 0 && { status: phases.join(',') }),
      ...(workflowId !== undefined && { workflow_id: workflowId }),
      ...more(query),
    });
    const answer = await request(connection)(endpoint, options)();
    return E.isLeft(answer) && isAbsent(answer.left) ? E.left(noList(answer.left)) : answer;
  };

/** Whether the server has no such route. */
export const isAbsent = ({ status }: ServiceError): boolean =>
  status === 404 || status === 405 || status === 501;

/** What a server without a list of jobs is answered with. */
export const noList = ({ endpoint, status, requestId }: Partial<ServiceError>): ServiceError =>
  serviceError('NotSupported', {
    message: 'The server has no list of jobs.',
    hint: 'client.rest.queue lists what runs and waits, client.rest.recentJobs what has ended, where the server has these.',
    endpoint,
    status,
    requestId,
  });

const noLabels = (): ServiceError =>
  serviceError('NotSupported', {
    message: 'Servers of this dialect keep no labels of jobs.',
    hint: 'List without labels and choose by the ids that you have stored.',
  });

/** The most ids that a cloud service takes at a time. */
const maxIds = 100;

/** Cancels many jobs by the jobs API, some at a time: those of a request that the server does not take as a whole are the Right. */
export const cancelManyByJobsApi =
  (connection: HttpConnection) =>
  (promptIds: readonly string[], options: CallOptions = {}): TaskEither<ServiceError, readonly string[]> =>
  async () => {
    const left: string[] = [];
    for (let at = 0; at < promptIds.length; at += maxIds) {
      const ids = promptIds.slice(at, at + maxIds);
      const answer = await request(connection)(cancelJobsEndpoint(ids), options)();
      if (E.isRight(answer)) continue;
      const { _tag } = answer.left;
      // One that is unknown, or no UUID, lets none of them be cancelled.
      if (!isAbsent(answer.left) && _tag !== 'BadRequest') return answer;
      left.push(...ids);
    }
    return E.right(left);
  };

import * as E from '../protocol/either.js';
import type { CallOptions } from './rest-options.js';
import { cancelJobEndpoint } from '../endpoints/cancel-job.js';
import type { HttpConnection } from './connection.js';
import { isRouteAbsent, type JobsApi } from './jobs-api.js';
import { request } from './request.js';
import type { ServiceError } from '../errors/errors.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

/** What the jobs API made of a cancellation: it acts on the job, the job was over, or there is no such route. */
export type JobCancellation = 'taken' | 'over' | 'no route';

/** Cancels one job by the jobs API, where the server has that; a server that is not expected to have it is not asked. */
export const cancelOneJob =
  (
    connection: HttpConnection,
    jobs: JobsApi,
    promptId: string,
    options: CallOptions = {},
  ): TaskEither<ServiceError, JobCancellation> =>
  async () => {
    const isExpected = connection.dialect.jobsApi === 'probed' || jobs.isThere('job');
    // A server that lacks the route of a job lacks its cancellation as well, which is the younger one.
    if (!isExpected || jobs.isAbsent('job') || jobs.isAbsent('cancel')) return E.right('no route');
    const answer = await request(connection)(cancelJobEndpoint(promptId), options)();
    if (E.isRight(answer)) {
      jobs.note('cancel', 'there');
      return E.right(answer.right ? 'taken' : 'over');
    }
    const isAbsent = isRouteAbsent(answer.left, connection.dialect.jobsApi);
    if (isAbsent) jobs.note('cancel', 'absent');
    // The service that does not know a job says the same of one that the queue may still hold.
    return isAbsent || answer.left._tag === 'NotFound' || answer.left._tag === 'BadRequest'
      ? E.right('no route')
      : answer;
  };

import * as E from '../protocol/either.js';
import type { HttpConnection } from './connection.js';
import {
  type HistoryRoute,
  recentJobEndpoint,
  type RecentJob,
  recentJobsEndpoint,
} from '../endpoints/recent-jobs.js';
import type { RecentJobsOptions } from './rest-options.js';
import { request } from './request.js';
import type { ServiceError } from '../errors/errors.js';
import { serviceError } from '../errors/service-error.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

type Answer = E.Either<ServiceError, readonly RecentJob[]>;

/** Lists the latest jobs of the history, or looks the named ones up, one after the other, at the first route that answers. */
export const recentJobs =
  (
    connection: HttpConnection,
    { limit, promptIds, ...options }: RecentJobsOptions = {},
  ): TaskEither<ServiceError, readonly RecentJob[]> =>
  async () => {
    const ask = request(connection);
    const { historyRoutes } = connection.dialect;
    const firstOf = async (call: (route: HistoryRoute) => Promise<Answer>): Promise<Answer> => {
      let answer: Answer = E.left(serviceError('NotFound', {}));
      for (const route of historyRoutes) {
        answer = await call(route);
        if (E.isRight(answer) ? answer.right.length > 0 : answer.left._tag !== 'NotFound') break;
      }
      return answer;
    };
    if (promptIds === undefined) return firstOf((route) => ask(recentJobsEndpoint(route, limit), options)());
    const found: RecentJob[] = [];
    for (const promptId of promptIds) {
      const answer = await firstOf((route) => ask(recentJobEndpoint(route, promptId), options)());
      if (E.isRight(answer)) found.push(...answer.right);
      else if (answer.left._tag !== 'NotFound') return answer;
    }
    return E.right(found);
  };

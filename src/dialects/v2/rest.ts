import { besideV2, notSupported } from './v1-routes.js';
import { type Cancellation, createRest, type JobRest } from '../../http/rest.js';
import { cancelJobEndpoint, jobEndpoint } from '../../endpoints/v2/job.js';
import { candidatesFor } from './candidates.js';
import { detailOfJob } from '../../endpoints/v2/read-job.js';
import * as E from '../../protocol/either.js';
import { endPhaseOf } from '../../endpoints/v2/job-end.js';
import type { HttpConnection } from '../../http/connection.js';
import { request } from '../../http/request.js';
import type { ServiceError } from '../../errors/errors.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { withCandidates } from '../../errors/service-error.js';

/** The calls of API v2 in the shapes that the client has; what v2 has no form for goes to the routes of today, where they are. */
export const createRestOfV2 = (connection: HttpConnection): JobRest => {
  const rest = createRest(connection);
  const ask = request(connection);

  const cancelAll =
    (...[promptIds, options]: Parameters<JobRest['cancel']>): TaskEither<ServiceError, Cancellation> =>
    async () => {
      const deleted: string[] = [];
      for (const promptId of promptIds) {
        const isReached = ({ status }: { readonly status: string }): boolean => {
          const end = endPhaseOf(status);
          return end === undefined || end === 'cancelled';
        };
        const answer = await ask(cancelJobEndpoint(promptId, isReached), options)();
        if (E.isLeft(answer)) return answer;
        if (answer.right) deleted.push(promptId);
      }
      return E.right({ deleted });
    };
  return {
    ...rest,
    submit: (workflow, options) => async () => {
      const answer = await rest.submit(workflow, options)();
      if (E.isRight(answer) || answer.left._tag !== 'OutcomeUnknown') return answer;
      return E.left(
        withCandidates(answer.left, await candidatesFor(rest, workflow, answer.left.startedAt, options)),
      );
    },
    job: (promptId, options) => ask(jobEndpoint(promptId, detailOfJob(promptId)), options),
    cancel: cancelAll,
    interrupt: ({ promptId, ...options } = {}) =>
      promptId === undefined
        ? () => Promise.resolve(E.left(notSupported('the end of every running job at once')))
        : ask(
            cancelJobEndpoint(promptId, () => undefined),
            options,
          ),
    objectInfo: (options) => besideV2(rest.objectInfo(options), 'definitions of node classes'),
    queue: (options) => besideV2(rest.queue(options), 'the queue'),
    user: (options) => besideV2(rest.user(options), 'an account'),
    uploadMask: (...args) => besideV2(rest.uploadMask(...args), 'masks'),
  };
};

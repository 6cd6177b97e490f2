import { createRest, type JobRest } from '../../http/rest.js';
import * as E from '../../protocol/either.js';
import type { HttpConnection } from '../../http/connection.js';
import { later } from './load.js';
import { withCandidates } from '../../errors/service-error.js';

/** The calls of API v2 in the shapes that the client has; what v2 has no form for goes to the routes of today, where they are. */
export const restOfV2 = (connection: HttpConnection): JobRest => {
  const rest = createRest(connection);
  return {
    ...rest,
    submit: (workflow, options) => async () => {
      const answer = await rest.submit(workflow, options)();
      if (E.isRight(answer) || answer.left._tag !== 'OutcomeUnknown') return answer;
      const { startedAt } = answer.left;
      const candidates = await later(({ candidatesFor }) =>
        candidatesFor(rest, workflow, startedAt, options),
      )();
      return E.isLeft(candidates) ? answer : E.left(withCandidates(answer.left, candidates.right));
    },
    job: (promptId, options) => later(({ readDetail }) => readDetail(connection, promptId, options)),
    cancel: (promptIds, options) => later(({ cancelJobs }) => cancelJobs(connection, promptIds, options)),
    interrupt: (options = {}) => later(({ interruptJob }) => interruptJob(connection, options)),
    objectInfo: (options) =>
      later(({ besideV2 }) => besideV2(rest.objectInfo(options), 'definitions of node classes')),
    queue: (options) => later(({ besideV2 }) => besideV2(rest.queue(options), 'the queue')),
    user: (options) => later(({ besideV2 }) => besideV2(rest.user(options), 'accounts')),
    uploadMask: (...args) => later(({ besideV2 }) => besideV2(rest.uploadMask(...args), 'masks')),
  };
};

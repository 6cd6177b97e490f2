import { defer, EMPTY, map } from 'rxjs';
import type { GatewayQueue } from '../services/gateway-queue.js';
import type { GatewayService } from '../services/gateway-service.js';
import type { ServiceError } from '../../../core/errors/errors.js';
import * as E from '../../../core/protocol/either.js';
import { isServiceError, serviceError } from '../../../core/errors/service-error.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { logWithoutServers, withoutServer } from './without-servers.js';
import type { Upstream, UpstreamJob } from './upstream.js';

/**
 * Lets the workers of a queue take the gateway's jobs; the service of the client or pool, where there is one, has their files.
 *
 * The id of a submission is the queue's id of the job, so a submission that is repeated adds no second one. A caller's own partner key
 * is refused, since a queue keeps no key.
 */
export const queueUpstream = (queue: GatewayQueue, service: GatewayService | undefined): Upstream => {
  const job = (promptId: string): UpstreamJob => ({
    promptId,
    states: queue.follow(promptId).pipe(map(withoutServer)),
    frames: EMPTY,
  });
  return {
    submissionIds: 'jobs',
    ...(queue.log !== undefined && { log: logWithoutServers(queue.log) }),
    submit: (workflow, { submissionId, owner, extraData, partnerKey }) => {
      if (partnerKey !== undefined) return () => Promise.resolve(E.left(noPartnerKey()));
      if (submissionId === undefined) throw new Error('A submission of the gateway has an id.');
      return attempt(async () =>
        job(await queue.add(workflow, { id: submissionId, tenant: owner, extraData })),
      );
    },
    job,
    cancel: (promptId) =>
      attempt(async () => {
        await queue.cancel(promptId);
      }),
    view: (file, options, job) =>
      service?.viewOutput(file, options, job) ?? (() => Promise.resolve(E.left(noFiles()))),
    previews: (promptId) => defer(() => queue.previews(promptId)),
    image: (promptId, place) => queue.socketImage?.(promptId, place) ?? Promise.resolve(undefined),
  };
};

const attempt =
  <A>(work: () => Promise<A>): TaskEither<ServiceError, A> =>
  async () => {
    try {
      return E.right(await work());
    } catch (error) {
      if (isServiceError(error)) return E.left(error);
      throw error;
    }
  };

const noPartnerKey = (): ServiceError =>
  serviceError('NotSupported', {
    message: 'This gateway takes no key of a caller for partner nodes.',
    hint: 'Leave the key out: the workers of the queue add theirs.',
  });

const noFiles = (): ServiceError =>
  serviceError('NotSupported', {
    message: 'This gateway has no client that reads files.',
    hint: 'Give the gateway a client beside its queue.',
  });

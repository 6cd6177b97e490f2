import { defer, EMPTY, type Observable } from 'rxjs';
import type { GatewayService } from '../services/gateway-service.js';
import type { JobState } from '../../../core/state/job-state.js';
import type { Preview } from '../../../core/protocol/frames/frame.js';
import type { RemoteServer } from '../../../core/events/remote-server.js';
import type { ServiceError } from '../../../core/errors/errors.js';
import type { Workflow } from '../../../core/protocol/workflow.js';
import * as E from '../../../core/protocol/either.js';
import type { ImagePlace, JobImage } from '../../joblog/job-images.js';
import type { QueueLog } from '../../joblog/queue-log.js';
import { isServiceError, serviceError } from '../../../core/errors/service-error.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { Upstream, UpstreamJob } from './upstream.js';

/** What a gateway needs of a queue; `createJobQueue` of `promptwire/queue` makes one. */
export interface GatewayQueue {
  /** Adds a job with this id, once however often it is called, and gives its id. */
  readonly add: (
    workflow: Workflow,
    options: {
      readonly id: string;
      readonly tenant: string;
      readonly extraData?: Readonly<Record<string, unknown>> | undefined;
    },
  ) => Promise<string>;
  /** Follows a job to its end; errors with `NotFound` for one that the queue does not know. */
  readonly follow: (id: string) => Observable<JobState>;
  /** The previews of a job from now on, to its end. */
  readonly previews: (id: string) => Observable<Preview>;
  /** A picture that a job sent over the socket; absent, such pictures have no bytes. */
  readonly socketImage?: (id: string, place: ImagePlace) => Promise<JobImage | undefined>;
  /** Asks for the end of a job. */
  readonly cancel: (id: string) => Promise<unknown>;
  /** The queue's log, which the gateway reads. Absent, the gateway follows each job and keeps a log of its own. */
  readonly log?: QueueLog;
  /** In a queue over servers, the server that has a job; undefined before it has one. */
  readonly serverOf?: (id: string) => Promise<string | undefined>;
  /** Over servers: what is known of each, now and after each change. Errors with `NotSupported` over an account. */
  readonly servers?: Observable<readonly RemoteServer[]>;
  /** Gives a server no further jobs. */
  readonly pauseServer?: (name: string) => Promise<unknown>;
  /** Gives it jobs again. */
  readonly resumeServer?: (name: string) => Promise<unknown>;
  /** Gives it no further jobs, and resolves once those that it has are over. */
  readonly drainServer?: (name: string) => Promise<unknown>;
  /** Resolves where the queue can be reached; `damaged` is how many of its records could not be read, and `refused` says that it takes no jobs now. */
  readonly stats: () => Promise<{
    readonly damaged?: number;
    readonly refused?: string | undefined;
  }>;
}

/**
 * Lets the workers of a queue take the gateway's jobs; the service of the client or pool, where there is one, has their files.
 *
 * The id of a submission is the queue's id of the job, so a submission that is repeated adds no second one. A caller's own partner key
 * is refused, since a queue keeps no key.
 */
export const queueUpstream = (queue: GatewayQueue, service: GatewayService | undefined): Upstream => {
  const job = (promptId: string): UpstreamJob => ({
    promptId,
    states: queue.follow(promptId),
    frames: EMPTY,
  });
  return {
    submissionIds: 'jobs',
    ...(queue.log !== undefined && { log: queue.log }),
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
    view: (file, options, job) => async () => {
      if (service === undefined) return E.left(noFiles());
      const server = await queue.serverOf?.(job.record.submissionId).catch(() => undefined);
      return service.viewOutput(file, options, { ...job, server })();
    },
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

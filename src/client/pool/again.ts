import type { JobLife } from './job-life.js';
import type { PoolContext } from './pool-context.js';
import type { PooledServer } from './pool-server.js';
import type { PoolJobState, PoolRules } from './pool-types.js';
import { ranOutOfMemory } from '../../core/state/ran-out-of-memory.js';
import type { ServiceError } from '../../core/errors/errors.js';
import { serviceError } from '../../core/errors/service-error.js';
import { unknownFailure } from '../../core/state/failure.js';

/** A job has to be given to a server once more. */
export interface Again {
  readonly _tag: 'again';
  /** Whether a submission of it counted: it may have run. */
  readonly isNew: boolean;
  /** Servers that must not get it again, and why. */
  readonly exclude?: ReadonlyMap<string, ServiceError>;
  /** Whether the server has to be probed. */
  readonly suspects: boolean;
  /** How long the server gets no new jobs. */
  readonly pauseMs?: number;
}

/** What follows from the refusal of a submission; undefined if the job ends with it. */
export const afterRefusal = (life: JobLife, server: PooledServer, error: ServiceError): Again | undefined => {
  if (life.isCancelled.value) return undefined;
  switch (error._tag) {
    case 'Network':
    case 'Timeout':
      return error.sent ? undefined : { _tag: 'again', isNew: false, suspects: true };
    case 'Aborted':
      // The signal of the program is not the server's fault.
      return life.options.signal?.aborted === true || error.sent
        ? undefined
        : { _tag: 'again', isNew: false, suspects: true };
    case 'ServerError':
    case 'QueueFull':
    case 'RateLimited':
      return { _tag: 'again', isNew: false, suspects: true, pauseMs: error.retryAfterMs ?? busyForMs };
    case 'NotFound':
      // It was looked for by its id: the server never had it, or has forgotten it.
      return { _tag: 'again', isNew: false, suspects: true };
    case 'BadRequest':
    case 'InvalidWorkflow':
    case 'TooLarge':
    case 'Unauthorized':
    case 'Forbidden':
    case 'InsufficientCredits':
    case 'SubscriptionInactive':
    case 'NotSupported':
    case 'DownloadFailed':
    case 'ProtocolChanged':
    case 'UnexpectedStatus':
      return { _tag: 'again', isNew: false, suspects: false, exclude: new Map([[server.name, error]]) };
    default:
      return undefined;
  }
};

/** How long a server that is full or fails gets no new jobs, unless it says how long; in milliseconds. */
const busyForMs = 5_000;

/** Whether a job that a server lost is submitted again. */
export const rerunsLost = ({ rerun }: PoolRules, { rerunsLost: byDefault }: PooledServer): boolean =>
  rerun === undefined ? byDefault : rerun === 'lost';

/** What follows from the end of a job on a server; undefined if that is its end. */
export const afterEnd = (
  { rules, servers }: PoolContext,
  life: JobLife,
  server: PooledServer,
  end: PoolJobState,
): Again | undefined => {
  if (life.isCancelled.value) return undefined;
  if (end.phase === 'untraceable') {
    // It was restarted, and has loaded nothing.
    server.update((known) => ({ ...known, lost: known.lost + 1, models: [] }));
    return rerunsLost(rules, server) ? { _tag: 'again', isNew: true, suspects: false } : undefined;
  }
  if (end.attempt > 1 || !ranOutOfMemory(end)) return undefined;
  const memory = server.state().memory?.total ?? Infinity;
  const failed = serviceError('JobFailed', {
    promptId: end.promptId,
    failure: end.failure ?? unknownFailure(),
  });
  const all = [...servers.values()];
  const larger = all.filter((other) => (other.state().memory?.total ?? 0) > memory);
  const canHelp = ({ tags, can }: PooledServer): boolean =>
    life.options.tags?.every((tag) => tags.includes(tag)) !== false && can.of(life.work)._tag === 'able';
  return larger.some(canHelp)
    ? {
        _tag: 'again',
        isNew: true,
        suspects: false,
        exclude: new Map(all.filter((one) => !larger.includes(one)).map(({ name }) => [name, failed])),
      }
    : undefined;
};

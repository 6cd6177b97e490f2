import type { Clock } from '../../../core/platform/platform.js';
import { type Either, isLeft } from '../../../core/protocol/either.js';
import { finalize, Subscription, takeWhile } from 'rxjs';
import type { Following } from '../upstream/following.js';
import { isTerminal } from '../../../core/state/job-state.js';
import type { JobRegistry } from '../registry/job-registry.js';
import { repeatCancel } from '../../joblog/repeat-cancel.js';
import type { ServiceError } from '../../../core/errors/errors.js';
import { logOf, type Upstream } from '../upstream/upstream.js';

/** Asks services for the ends of jobs, and goes on until these have ended. */
export interface Cancellations {
  /**
   * Asks for the end of a job now, and again from time to time while this process follows it; a queue keeps the request, so it is asked
   * again only where it refused. Gives the answer; undefined if the service's id of the job is not known yet.
   */
  readonly ask: (id: string) => Promise<Either<ServiceError, void> | undefined>;
  readonly stop: () => void;
}

/** The jobs that may be cancelled, and the services that are asked, by name. */
export interface CancellationsOptions {
  readonly clock: Pick<Clock, 'after'>;
  readonly registry: Pick<JobRegistry, 'get' | 'latest' | 'changes'>;
  readonly following: Pick<Following, 'follows'>;
  /** By the names of the services. */
  readonly upstreams: Readonly<Record<string, Upstream>>;
}

/** Makes {@link Cancellations}. What another process was asked for is asked for again by the one that follows the job. */
export const cancellations = ({
  clock,
  registry,
  following,
  upstreams,
}: CancellationsOptions): Cancellations => {
  const asking = new Map<string, Subscription>();
  const all = new Subscription();

  const isOver = (id: string): boolean => {
    const latest = registry.latest(id);
    return latest === undefined || isTerminal(latest.phase);
  };
  /** Whether a queue keeps the request, which its worker repeats. */
  const isKept = (id: string): boolean => {
    const record = registry.get(id)?.record;
    return record !== undefined && logOf(record, upstreams[record.client]) !== undefined;
  };
  const once = async (id: string): Promise<Either<ServiceError, void> | undefined> => {
    const record = registry.get(id)?.record;
    if (record === undefined || isOver(id)) return undefined;
    const upstream = upstreams[record.client];
    const ownId = upstream?.submissionIds === 'jobs' ? record.submissionId : undefined;
    // The events of a queue name the service's id.
    const promptId = isKept(id) ? ownId : (record.promptId ?? ownId);
    // A job that is looked for is cancelled once it is found.
    return promptId === undefined ? undefined : upstream?.cancel(promptId)();
  };
  const repeatAsking = (id: string): void => {
    asking.get(id)?.unsubscribe();
    const isGoingOn = async (): Promise<boolean> => {
      const answer = await once(id);
      const isRefused = answer !== undefined && isLeft(answer);
      return (isKept(id) ? isRefused : following.follows(id)) && !isOver(id);
    };
    const own = repeatCancel(clock, isGoingOn)
      .pipe(
        takeWhile((goesOn) => goesOn),
        finalize(() => asking.delete(id)),
      )
      .subscribe({ error: () => undefined });
    asking.set(id, own);
    all.add(own);
  };
  all.add(
    registry.changes.subscribe({
      next: ({ jobId }) => {
        if (isOver(jobId)) asking.get(jobId)?.unsubscribe();
        else if (registry.get(jobId)?.record.cancelRequestedAt === undefined) return;
        else if (!asking.has(jobId) && following.follows(jobId)) repeatAsking(jobId);
      },
      error: () => undefined,
    }),
  );
  return {
    ask: async (id) => {
      if (!isKept(id)) {
        repeatAsking(id);
        return once(id);
      }
      const answer = await once(id);
      if (answer !== undefined && isLeft(answer)) repeatAsking(id);
      return answer;
    },
    stop: () => all.unsubscribe(),
  };
};

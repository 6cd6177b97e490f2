import {
  audit,
  concatMap,
  defer,
  EMPTY,
  filter,
  ignoreElements,
  merge,
  mergeMap,
  type Observable,
  pairwise,
  tap,
} from 'rxjs';
import * as E from '../../core/protocol/either.js';
import type { FrameSource } from '../../core/socket/frame-source.js';
import type { Platform } from '../../core/platform/platform.js';
import type { RateLimiter } from './rate-limiter.js';
import type { ServiceError } from '../../core/errors/errors.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { timerOn } from '../../core/platform/timer.js';

/** How long after the queue has shrunk it is looked at: once for all that shrinks it meanwhile. */
const lookAfterMs = 3_000;

/** A job that is followed. */
export interface QueuedJob {
  readonly promptId: string;
  /** Whether it was waiting when it was last reported. */
  readonly isWaiting: boolean;
  /** Asks REST about it, unless its end is known. */
  readonly poll: () => void;
}

/** The socket that announces the length of a queue, and how the queue is listed. */
export interface QueueWatchContext {
  readonly platform: Pick<Platform, 'clock'>;
  readonly source: Pick<FrameSource, 'queueLengths'>;
  readonly limiter: Pick<RateLimiter, 'permitsFor'>;
  /** The ids of all jobs that run or wait; absent if waiting jobs don't vanish without an event. */
  readonly queuedJobs?: TaskEither<ServiceError, ReadonlySet<string>> | undefined;
}

/**
 * Polls jobs that an announcement of the queue makes doubtful, while it is subscribed to; it emits nothing and never errors.
 *
 * An empty queue means that no job runs or waits: each followed job is polled at once. A queue that has shrunk may have lost a waiting
 * job to another program, which no event tells: one listing of the queue says which waiting jobs are gone, and those are polled.
 */
export const watchQueue = (
  { platform: { clock }, source, limiter, queuedJobs }: QueueWatchContext,
  jobs: () => readonly QueuedJob[],
): Observable<never> => {
  const emptied = source.queueLengths.pipe(
    filter((length) => length === 0),
    tap(() => {
      for (const job of jobs()) job.poll();
    }),
  );
  const look = (list: NonNullable<typeof queuedJobs>): Observable<unknown> =>
    defer(() => {
      const waiting = jobs().filter(({ isWaiting }) => isWaiting);
      if (waiting.length === 0) return EMPTY;
      return limiter.permitsFor('status').pipe(
        mergeMap(() => list()),
        tap((listed) => {
          if (E.isLeft(listed)) return;
          for (const job of waiting) if (!listed.right.has(job.promptId)) job.poll();
        }),
      );
    });
  const shrunk =
    queuedJobs === undefined
      ? EMPTY
      : source.queueLengths.pipe(
          pairwise(),
          filter(([before, now]) => now > 0 && now < before),
          audit(() => timerOn(clock, lookAfterMs)),
          concatMap(() => look(queuedJobs)),
        );
  return merge(emptied, shrunk).pipe(ignoreElements());
};

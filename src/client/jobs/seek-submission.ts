import { concatMap, from, lastValueFrom, map, type Observable, takeUntil, takeWhile } from 'rxjs';
import type { Clock } from '../../core/platform/platform.js';
import * as E from '../../core/protocol/either.js';
import type { FindSubmission, SoughtSubmission } from '../dialects/dialect.js';
import type { ServiceError } from '../../core/errors/errors.js';
import { timerOn } from '../../core/platform/timer.js';

/** How long to wait before each look: the request may still be on its way through a proxy that has given it up. */
const waitsMs = [0, 1_000, 2_000, 4_000, 8_000, 15_000];
/** How long one question may take. */
const requestTimeoutMs = 10_000;

/** How the service is asked for a lost submission, which jobs can't be it, and until when to look. */
export interface SeekContext {
  readonly clock: Clock;
  readonly find: FindSubmission;
  /** Whether a job is that of another submission of this client. */
  readonly isKnown: (promptId: string) => boolean;
  /** Ends the search once it emits. */
  readonly until: Observable<unknown>;
}

/**
 * Looks for the job of a submission whose answer was lost, for half a minute; gives the ids of the jobs that it may be, none where the
 * service shows none, at once where it says that it has no such list (`NotSupported`).
 */
export const seekSubmission = (
  { clock, find, isKnown, until }: SeekContext,
  sought: SoughtSubmission,
): Promise<readonly string[]> =>
  lastValueFrom(
    from(waitsMs).pipe(
      concatMap((waitMs) => timerOn(clock, waitMs)),
      concatMap(() => find(sought, { timeoutMs: requestTimeoutMs })()),
      takeWhile((answer) => !isHopeless(answer), true),
      map((answer) => (E.isRight(answer) ? answer.right.filter((promptId) => !isKnown(promptId)) : [])),
      takeWhile((found) => found.length === 0, true),
      takeUntil(until),
    ),
    { defaultValue: [] },
  );

/** Whether the service has no list in which the job could be. */
const isHopeless = (answer: E.Either<ServiceError, unknown>): boolean =>
  E.isLeft(answer) && answer.left._tag === 'NotSupported';

import * as E from '../protocol/either.js';
import {
  concatMap,
  defer,
  EMPTY,
  exhaustMap,
  find,
  from,
  map,
  mergeMap,
  type Observable,
  of,
  type OperatorFunction,
  throwError,
} from 'rxjs';
import type { ServiceError, ServiceErrorTag } from '../protocol/errors/errors.js';
import type { JobEvent } from '../protocol/state/job-event.js';
import { serviceError } from '../protocol/errors/service-error.js';
import { after } from '../socket/after.js';
import type { JobContext } from './job-context.js';
import { look, type Look } from './look.js';

/** Two misses this far apart make a job that was known untraceable. */
const untraceableAfterMs = 30_000;
/** A job that nobody ever saw here is looked for a second time this much later. */
const notFoundAfterMs = 2_000;
/** Routes that are gone for so long do not come back with the next deployment. */
const routesGoneMs = 300_000;

/** Refusals that the next request would meet again. */
const final: ReadonlySet<ServiceErrorTag> = new Set<ServiceErrorTag>([
  'Unauthorized',
  'Forbidden',
  'InsufficientCredits',
  'SubscriptionInactive',
  'ProtocolChanged',
  'InvalidConfig',
  'Closed',
]);

/** What {@link reconcile} goes by. */
export interface ReconcileOptions {
  readonly promptId: string;
  /** When the job was accepted or last heard of, by the monotonic clock; undefined where it never was. */
  readonly sightedAt: () => number | undefined;
}

/**
 * Asks REST about a job on each occasion that comes while it is not asking already, and emits what it learns. Each look
 * takes a turn of the client's request budget.
 *
 * A failed request says nothing about the job: the next occasion asks again. What neither status nor history knows, twice
 * at least 30 s apart and with no frame in between, is `Untraceable`; where the job was never sighted at all it errors
 * with `NotFound`. While the service knows none of the other jobs that it knew, its routes are gone rather than the job:
 * that errors with `ProtocolChanged` once it has lasted for 5 minutes. It errors as well with refusals that no later
 * request would escape.
 */
export const reconcile =
  (
    { rest, platform, budget, known }: Pick<JobContext, 'rest' | 'platform' | 'budget' | 'known'>,
    { promptId, sightedAt }: ReconcileOptions,
  ): OperatorFunction<void, JobEvent> =>
  (occasions) => {
    const { clock } = platform;
    let missedSince: number | undefined;
    let answeredAt: number | undefined;
    const seenAt = (): number | undefined => {
      const times = [sightedAt(), answeredAt].filter((time) => time !== undefined);
      return times.length === 0 ? undefined : Math.max(...times);
    };

    const askFor = (id: string): Observable<E.Either<ServiceError, Look>> =>
      budget.pipe(mergeMap(look(rest, id)));
    const ask: Observable<Look> = askFor(promptId).pipe(
      mergeMap((answer) => {
        if (E.isLeft(answer)) return final.has(answer.left._tag) ? throwError(() => answer.left) : EMPTY;
        if (answer.right._tag === 'Missing') missedSince ??= clock.now();
        else {
          missedSince = undefined;
          answeredAt = clock.now();
        }
        return of(answer.right);
      }),
    );
    const knowsOthers = defer(() =>
      from(known.others(promptId)).pipe(
        concatMap(askFor),
        map((answer) => E.isRight(answer) && answer.right._tag !== 'Missing'),
        find((isKnown) => isKnown),
        map((found) => found === true),
      ),
    );

    const askAgain = defer(() => {
      const missedAt = clock.now();
      const conclude = (): Observable<JobEvent> => {
        const seen = seenAt();
        if (seen === undefined) return throwError(() => notFound(promptId));
        if (seen >= missedAt) return EMPTY;
        if (known.others(promptId).length === 0) return of({ _tag: 'Untraceable', promptId });
        return knowsOthers.pipe(
          // The routes may have come back between the two questions: the job's own answer has to be the last.
          mergeMap((isRouted) => (isRouted ? ask : of(undefined))),
          mergeMap((last): Observable<JobEvent> => {
            if (last !== undefined)
              return last._tag === 'Missing' ? of({ _tag: 'Untraceable', promptId }) : of(last);
            return clock.now() - (missedSince ?? missedAt) >= routesGoneMs
              ? throwError(() => routesGone(promptId))
              : EMPTY;
          }),
        );
      };
      return after(clock, seenAt() === undefined ? notFoundAfterMs : untraceableAfterMs).pipe(
        mergeMap(() => ask),
        mergeMap((again) => (again._tag === 'Missing' ? conclude() : of(again))),
      );
    });
    return occasions.pipe(
      exhaustMap(() => ask.pipe(mergeMap((seen) => (seen._tag === 'Missing' ? askAgain : of(seen))))),
    );
  };

const notFound = (promptId: string): ServiceError =>
  serviceError('NotFound', { promptId, message: `The service knows no job ${promptId}.` });

const routesGone = (promptId: string): ServiceError =>
  serviceError('ProtocolChanged', {
    promptId,
    message: 'The service knows none of the jobs that it knew: its routes for status and history are gone.',
  });

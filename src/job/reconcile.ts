import * as E from 'fp-ts/lib/Either.js';
import {
  defer,
  EMPTY,
  exhaustMap,
  mergeMap,
  type Observable,
  of,
  type OperatorFunction,
  throwError,
} from 'rxjs';
import type { ServiceErrorTag } from '../protocol/errors.js';
import type { JobEvent } from '../protocol/job-event.js';
import { serviceError } from '../protocol/service-error.js';
import { after } from '../socket/after.js';
import type { JobContext } from './job-context.js';
import { look, type Look } from './look.js';

/** Two misses this far apart make a job that was known untraceable. */
const untraceableAfterMs = 30_000;
/** A job that nobody ever saw here is looked for a second time this much later. */
const notFoundAfterMs = 2_000;

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

/**
 * Asks REST about a job on each occasion that comes while it is not asking already, and emits what it learns. Each look
 * takes a turn of the client's request budget.
 *
 * A failed request says nothing about the job: the next occasion asks again. What neither status nor history knows, twice
 * at least 30 s apart, is `Untraceable`; where the job was never sighted at all it errors with `NotFound`. It errors as
 * well with refusals that no later request would escape.
 *
 * @param sighted tells whether the service is known to have known the job
 */
export const reconcile =
  (
    { rest, platform, budget }: Pick<JobContext, 'rest' | 'platform' | 'budget'>,
    promptId: string,
    sighted: () => boolean,
  ): OperatorFunction<void, JobEvent> =>
  (occasions) => {
    const ask: Observable<Look> = budget.pipe(
      mergeMap(look(rest, promptId)),
      mergeMap((answer) => {
        if (E.isRight(answer)) return of(answer.right);
        return final.has(answer.left._tag) ? throwError(() => answer.left) : EMPTY;
      }),
    );
    const askAgain = defer(() =>
      after(platform.clock, sighted() ? untraceableAfterMs : notFoundAfterMs),
    ).pipe(
      mergeMap(() => ask),
      mergeMap((again): Observable<JobEvent> => {
        if (again._tag !== 'Missing') return of(again);
        return sighted()
          ? of({ _tag: 'Untraceable', promptId })
          : throwError(() =>
              serviceError('NotFound', { promptId, message: `The service knows no job ${promptId}.` }),
            );
      }),
    );
    return occasions.pipe(
      exhaustMap(() => ask.pipe(mergeMap((seen) => (seen._tag === 'Missing' ? askAgain : of(seen))))),
    );
  };

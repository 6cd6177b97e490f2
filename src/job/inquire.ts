import * as E from '../protocol/either.js';
import { EMPTY, filter, map, type Observable, take } from 'rxjs';
import type { Rest } from '../http/rest.js';
import type { ServiceError, ServiceErrorTag } from '../protocol/errors/errors.js';
import { serviceError } from '../protocol/errors/service-error.js';
import type { JobEvent } from '../protocol/state/job-event.js';
import { after } from '../socket/after.js';
import { concat } from '../streams/concat.js';
import { defer } from '../streams/defer.js';
import { each } from '../streams/each.js';
import { fromPromise } from '../streams/from-promise.js';
import { mergeMap } from '../streams/merge-map.js';
import { of } from '../streams/of.js';
import { throwError } from '../streams/throw-error.js';
import type { Platform } from '../socket/platform.js';
import type { RequestBudget } from './budget.js';
import type { KnownJobs } from './known-jobs.js';
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

/** What {@link inquire} needs. */
export interface InquiryNeeds {
  readonly platform: Pick<Platform, 'clock'>;
  readonly rest: Pick<Rest, 'jobStatus' | 'history'>;
  /** Whose turn it is to ask REST about a job: shared by all jobs of the client. */
  readonly budget: RequestBudget;
  /** Jobs that REST knew lately, whoever asked. */
  readonly known: KnownJobs;
}

/** When a job was known, by the monotonic clock; -Infinity for never. An inquiry goes by it and adds to it. */
export interface Sightings {
  readonly promptId: string;
  /** When the latest frame of the job came. */
  readonly heardAt: number;
  /** When REST last answered for the job; its acceptance is such an answer. */
  answeredAt: number;
  /** The later of the two. */
  readonly seenAt: number;
  /** Since when REST has known nothing of it, if so. */
  missedSince: number | undefined;
}

/**
 * Asks REST once how a job stands and emits what it learns: one event or none. The first look is made at once, for whoever
 * asks has waited for a turn of the client's request budget; each further look waits for its own.
 *
 * A failed request says nothing about the job. What neither status nor history knows, twice at least 30 s apart and with no
 * frame in between, is `Untraceable`; where the job was never sighted at all it errors with `NotFound`. While the service
 * knows none of the other jobs that it knew, its routes are gone rather than the job: that errors with `ProtocolChanged`
 * once it has lasted for 5 minutes. It errors as well with refusals that no later request would escape.
 */
export const inquire = (
  { platform: { clock }, rest, budget, known }: InquiryNeeds,
  job: Sightings,
): Observable<JobEvent> => {
  const { promptId } = job;
  const first: Observable<Look> = fromPromise(look(rest, promptId)).pipe(
    mergeMap((answer) => {
      if (E.isLeft(answer)) return final.has(answer.left._tag) ? throwError(() => answer.left) : EMPTY;
      if (answer.right._tag === 'Missing') job.missedSince ??= clock.now();
      else {
        job.missedSince = undefined;
        job.answeredAt = clock.now();
      }
      return of(answer.right);
    }),
  );
  const further = budget.turns.pipe(mergeMap(() => first));
  const knowsOthers = defer(() =>
    concat(
      each(known.others(promptId)).pipe(
        mergeMap((other) => budget.turns.pipe(mergeMap(() => fromPromise(look(rest, other)))), 1),
        filter((answer) => E.isRight(answer) && answer.right._tag !== 'Missing'),
        map(() => true),
      ),
      of(false),
    ).pipe(take(1)),
  );

  const askAgain = defer(() => {
    const missedAt = clock.now();
    const conclude = (): Observable<JobEvent> => {
      const seen = job.seenAt;
      if (seen === -Infinity) return throwError(() => notFound(promptId));
      if (seen >= missedAt) return EMPTY;
      if (known.others(promptId).length === 0) return of({ _tag: 'Untraceable', promptId });
      return knowsOthers.pipe(
        // The routes may have come back between the two questions: the job's own answer has to be the last.
        mergeMap((isRouted) => (isRouted ? further : of(undefined))),
        mergeMap((last): Observable<JobEvent> => {
          if (last !== undefined)
            return last._tag === 'Missing' ? of({ _tag: 'Untraceable', promptId }) : of(last);
          return clock.now() - (job.missedSince ?? missedAt) >= routesGoneMs
            ? throwError(() => routesGone(promptId))
            : EMPTY;
        }),
      );
    };
    return after(clock, job.seenAt === -Infinity ? notFoundAfterMs : untraceableAfterMs).pipe(
      mergeMap(() => further),
      mergeMap((again) => (again._tag === 'Missing' ? conclude() : of(again))),
    );
  });
  return first.pipe(mergeMap((seen) => (seen._tag === 'Missing' ? askAgain : of(seen))));
};

const notFound = (promptId: string): ServiceError =>
  serviceError('NotFound', { promptId, message: `The service knows no job ${promptId}.` });

const routesGone = (promptId: string): ServiceError =>
  serviceError('ProtocolChanged', {
    promptId,
    message: 'The service knows none of the jobs that it knew: its routes for status and history are gone.',
  });

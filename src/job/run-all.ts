import { map, Observable } from 'rxjs';
import type { ClientTier, RunAllOptions } from './run-options.js';
import type { IndexedJobState } from './indexed-job-state.js';
import type { ServiceError } from '../protocol/errors/errors.js';
import { noNodeErrors } from '../protocol/answers/node-errors.js';
import { isServiceError, serviceError } from '../protocol/errors/service-error.js';
import { initialJobState } from '../protocol/state/initial-job-state.js';
import type { JobState } from '../protocol/state/job-state.js';
import { each } from '../streams/each.js';
import { mergeMap } from '../streams/merge-map.js';
import { within } from '../streams/within.js';
import { throwError } from '../streams/throw-error.js';
import type { Workflow } from '../protocol/workflow/workflow.js';

/** How many jobs a tier runs at once (docs/protocol.md, chapter 10). */
export const jobsAtOnce: Readonly<Record<ClientTier, number>> = {
  free: 1,
  standard: 1,
  creator: 3,
  pro: 5,
  unlimited: Infinity,
};

/**
 * Runs many workflows, at most `concurrency` (or the tier's number) at once, each state tagged with its workflow's index.
 *
 * A submission that is refused is a failed state of its index, with the error's tag as `exceptionType`; one whose outcome
 * is unknown ends as `untraceable`. The others go on. Only the end of the client and a signal that fires error the whole.
 */
export const runAll = (
  runOne: (workflow: Workflow) => Observable<JobState>,
  workflows: Iterable<Workflow>,
  { tier = 'free', concurrency }: Pick<RunAllOptions, 'tier' | 'concurrency'>,
): Observable<IndexedJobState> => {
  const limit = concurrency === 'unlimited' ? Infinity : (concurrency ?? limitOf(tier));
  if (limit === undefined || !(limit >= 1)) return throwError(() => unusable(limit === undefined));
  return each(workflows).pipe(
    mergeMap(
      (workflow, index) => withEnd(runOne(workflow), workflow).pipe(map((state) => ({ index, state }))),
      limit,
    ),
  );
};

/** A job's states, with its failure as the last of them where that concerns no other job. */
const withEnd = (states: Observable<JobState>, workflow: Workflow): Observable<JobState> =>
  new Observable((subscriber) => {
    let last = initialJobState({ workflow });
    within(subscriber, () => states, {
      next: (state) => subscriber.next((last = state)),
      error: (error: unknown) => {
        if (!isServiceError(error) || endsAll.has(error._tag)) {
          subscriber.error(error);
        } else {
          subscriber.next(endedBy(last, error));
          subscriber.complete();
        }
      },
      complete: () => subscriber.complete(),
    });
  });

/** Undefined for a tier that only an untyped program can name. */
const limitOf = (tier: ClientTier): number | undefined =>
  Object.hasOwn(jobsAtOnce, tier) ? jobsAtOnce[tier] : undefined;

const unusable = (isTier: boolean): ServiceError =>
  isTier
    ? serviceError('InvalidConfig', {
        option: 'tier',
        message: `tier is none of ${Object.keys(jobsAtOnce).join(', ')}.`,
      })
    : serviceError('InvalidConfig', {
        option: 'concurrency',
        message: "concurrency must be a number from 1, or 'unlimited'.",
      });

const endsAll: ReadonlySet<string> = new Set(['Closed', 'Aborted']);

/** A job that was accepted, or may have been, did not fail by losing its watcher: nobody knows how it ended. */
const endedBy = (last: JobState, error: ServiceError): JobState => ({
  ...last,
  phase: last.phase === 'submitting' && error._tag !== 'OutcomeUnknown' ? 'failed' : 'untraceable',
  failure: {
    exceptionType: error._tag,
    exceptionMessage: error.message,
    traceback: [],
    nodeErrors: error._tag === 'BadRequest' ? error.nodeErrors : noNodeErrors,
  },
});

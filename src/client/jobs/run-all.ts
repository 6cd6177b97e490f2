import type { CallMark } from './recent-submissions.js';
import type { ClientTier, RunAllOptions } from './run.js';
import { failureOfError } from '../../core/errors/failure-of-error.js';
import { initialJobState } from '../../core/state/initial-job-state.js';
import { isServiceError, serviceError } from '../../core/errors/service-error.js';
import type { JobState } from '../../core/state/job-state.js';
import { catchError, defer, map, type Observable, of, tap, throwError } from 'rxjs';
import type { OpenWork } from './job-context.js';
import { type Pullable, pullMap } from './pull-map.js';
import type { ServiceError } from '../../core/errors/errors.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** What `runAll` takes: workflows that are there, or that come one by one. */
export type Workflows = Pullable<Workflow>;

/** How many jobs a tier runs at once (docs/protocol.md, chapter 10). */
export const jobsAtOnce: Readonly<Record<ClientTier, number>> = {
  free: 1,
  standard: 1,
  creator: 3,
  pro: 5,
  unlimited: Infinity,
};

/**
 * Runs many workflows, at most `concurrency` (or the tier's number) at once, each state tagged with its workflow's index and
 * label. A workflow is taken only when there is a place for its job.
 *
 * A submission that is refused is a failed state of its index, with the error's tag as `exceptionType`; one whose outcome
 * is unknown ends as `unknown`; a job whose watching broke off as `untraceable`. The others go on. Only the end of the
 * client, a signal that fires and an error of the workflows' source error the whole: nothing more is taken then, and the
 * result errors once the jobs that run have ended, each with its state.
 */
export const runAll = (
  runOne: (workflow: Workflow, call: CallMark) => Observable<JobState>,
  work: Pick<OpenWork, 'refusal' | 'draining'>,
  workflows: Workflows,
  {
    tier = 'free',
    concurrency,
    label,
    drain,
  }: Pick<RunAllOptions, 'tier' | 'concurrency' | 'label' | 'drain'>,
): Observable<IndexedJobState> => {
  const limit = concurrency === 'unlimited' ? Infinity : (concurrency ?? limitOf(tier));
  if (limit === undefined || !(limit >= 1)) return throwError(() => unusable(limit === undefined));
  const labelled = (workflow: Workflow, index: number): Observable<IndexedJobState> => {
    const name = typeof label === 'function' ? label(workflow, index) : label;
    const tag = name === undefined ? { index } : { index, label: name };
    return withEnd(runOne(workflow, tag), workflow).pipe(map((state) => ({ ...tag, state })));
  };
  return defer(() => {
    const refusal = work.refusal();
    return refusal === undefined
      ? pullMap(workflows, labelled, { limit, stops: [drain, work.draining] })
      : throwError(() => refusal);
  });
};

/** A job's states, with its failure as the last of them where that concerns no other job. */
const withEnd = (states: Observable<JobState>, workflow: Workflow): Observable<JobState> =>
  defer(() => {
    let last = initialJobState({ workflow });
    return states.pipe(
      tap((state) => (last = state)),
      catchError((error: unknown) =>
        !isServiceError(error) || endsAll.has(error._tag)
          ? throwError(() => error)
          : of(endedBy(last, error)),
      ),
    );
  });

/** Undefined for a tier that only an untyped program can name. */
const limitOf = (tier: ClientTier): number | undefined =>
  Object.hasOwn(jobsAtOnce, tier) ? jobsAtOnce[tier] : undefined;

const unusable = (isTier: boolean): ServiceError =>
  isTier
    ? serviceError('InvalidConfig', {
        option: 'tier',
        message: `tier is not one of ${Object.keys(jobsAtOnce).join(', ')}.`,
      })
    : serviceError('InvalidConfig', {
        option: 'concurrency',
        message: "concurrency must be a number from 1, or 'unlimited'.",
      });

const endsAll: ReadonlySet<string> = new Set(['Closed', 'Aborted']);

/** An accepted job does not fail because its stream broke off: how it ended stays open. */
const endedBy = (last: JobState, error: ServiceError): JobState => ({
  ...last,
  ...(error._tag === 'InvalidWorkflow' && error.problems !== undefined && { problems: error.problems }),
  phase: last.phase !== 'submitting' ? 'untraceable' : error._tag === 'OutcomeUnknown' ? 'unknown' : 'failed',
  failure: failureOfError(error),
});

/** A state of one job of `runAll`. */
export interface IndexedJobState {
  /** Position of its workflow, from 0. */
  readonly index: number;
  /** The `label` of its submission, where there is one. */
  readonly label?: string;
  /** The state of that job. */
  readonly state: JobState;
}

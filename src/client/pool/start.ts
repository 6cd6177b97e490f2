import type { Activity } from './activity.js';
import {
  catchError,
  filter,
  firstValueFrom,
  ignoreElements,
  map,
  merge,
  type Observable,
  of,
  takeUntil,
  throwError,
} from 'rxjs';
import type { Dispatcher } from './dispatcher.js';
import * as E from '../../core/protocol/either.js';
import { isServiceError, serviceError } from '../../core/errors/service-error.js';
import { jobLife, type JobLife } from './job-life.js';
import type { OpenWork } from '../jobs/job-context.js';
import type { PoolContext } from './pool-context.js';
import { poolJob, startLife } from './pool-job.js';
import { prepareWorkflow } from '../jobs/prepare-workflow.js';
import { isTags } from './check-pool-options.js';
import type { PoolJob, PoolJobState } from './pool-types.js';
import type { PoolStartOptions } from './start-options.js';
import { statesOf } from './states-of.js';
import type { ServiceError } from '../../core/errors/errors.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** A job of a pool that has begun. */
export interface Started {
  readonly life: JobLife;
  readonly states: Observable<PoolJobState>;
}

/** Starts jobs: each goes on until its end, that of the pool, or its cancellation. */
export const starter = ({
  context,
  work,
  activity,
  closed,
}: {
  readonly context: PoolContext & { readonly dispatcher: Dispatcher };
  readonly work: OpenWork;
  readonly activity: Activity;
  /** Emits once, and replays that. */
  readonly closed: Observable<void>;
}): ((workflow: Workflow, options: PoolStartOptions) => Started) => {
  const counter = { next: 0 };
  const ended = closed.pipe(
    map((): never => {
      throw serviceError('Closed', {});
    }),
  );
  return (workflow, options) => {
    // It waits, while the program may go on with its own object.
    const prepared = prepareWorkflow(workflow);
    const life = jobLife(E.isRight(prepared) ? prepared.right : {}, options, counter.next++);
    const refusal = work.refusal() ?? (E.isLeft(prepared) ? prepared.left : refusedTags(options));
    if (refusal !== undefined) return { life, states: throwError(() => refusal) };
    const ends = [work.begin(), activity.begin()];
    const states = startLife(statesOf(context, life).pipe(takeUntil(ended)), () => {
      for (const end of ends) end();
    });
    return { life, states };
  };
};

const refusedTags = ({ tags }: PoolStartOptions): ServiceError | undefined =>
  isTags(tags)
    ? undefined
    : serviceError('InvalidConfig', {
        option: 'tags',
        message: 'tags is no list of texts.',
        hint: "List the tags that its server must have: tags: ['big'].",
      });

/** The job once a server has accepted it; Left if it ends before. */
export const firstAccepted = ({ life, states }: Started): Promise<E.Either<ServiceError, PoolJob>> => {
  const accepted = life.accepted.pipe(
    filter((job) => job !== undefined),
    map(() => E.right(poolJob(life, states))),
  );
  const over = states.pipe(
    ignoreElements(),
    catchError((error: unknown) =>
      of(E.left(isServiceError(error) ? error : serviceError('Defect', { cause: error }))),
    ),
  );
  return firstValueFrom(merge(accepted, over), { defaultValue: E.left(serviceError('JobCancelled', {})) });
};

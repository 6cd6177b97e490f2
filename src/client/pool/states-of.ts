import { attemptOn } from './attempt.js';
import type { Again } from './again.js';
import {
  catchError,
  concat,
  defer,
  EMPTY,
  filter,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  takeWhile,
  throwError,
} from 'rxjs';
import type { Dispatcher, Placed } from './dispatcher.js';
import { initialJobState } from '../../core/state/initial-job-state.js';
import { isServiceError, serviceError } from '../../core/errors/service-error.js';
import type { JobLife } from './job-life.js';
import type { PoolContext } from './pool-context.js';
import { formerPlace } from './resumed.js';
import type { PoolJobState } from './pool-types.js';
import type { PoolPlace } from './start-options.js';
import type { ServiceError } from '../../core/errors/errors.js';

/**
 * The states of a job of a pool: it waits for a server, is submitted there and followed, and where the server loses it, it waits again, before
 * all jobs that came later. Cold, and subscribed to once.
 */
export const statesOf = (
  context: PoolContext & { readonly dispatcher: Dispatcher },
  life: JobLife,
): Observable<PoolJobState> => {
  const waiting = initialJobState({ workflow: life.workflow, targets: life.options.targets });
  const attempt = (
    number: number,
    excluded: ReadonlyMap<string, ServiceError>,
    resume?: PoolPlace,
  ): Observable<PoolJobState> => {
    const whileWaiting: PoolJobState = { ...waiting, attempt: number };
    const steps = (placed: Placed): Observable<PoolJobState> => {
      if (placed._tag === 'stays') {
        life.isWaiting.next(true);
        return EMPTY;
      }
      if (placed._tag === 'waits')
        return of(
          placed.reason === undefined ? whileWaiting : { ...whileWaiting, queue: { reason: placed.reason } },
        );
      life.isWaiting.next(false);
      life.isGiven.next(true);
      return attemptOn(context, life, placed.server, number, resume).pipe(
        mergeMap((step) => (step._tag === 'state' ? of(step.state) : again(step, number, excluded))),
      );
    };
    const place =
      resume === undefined
        ? context.dispatcher.place({ ...life, tags: life.options.tags ?? [], excluded, attempt: number })
        : formerPlace(context, life, resume);
    return concat(
      of(whileWaiting),
      untilCancelled(place, life).pipe(
        mergeMap(steps),
        catchError((error: unknown) =>
          isServiceError(error) && error._tag === 'JobCancelled' && !life.isGiven.value
            ? of<PoolJobState>({ ...whileWaiting, phase: 'cancelled' })
            : throwError(() => error),
        ),
      ),
    );
  };
  const again = (
    { exclude = new Map(), isNew }: Again,
    number: number,
    excluded: ReadonlyMap<string, ServiceError>,
  ): Observable<PoolJobState> => {
    life.isGiven.next(false);
    return attempt(isNew ? number + 1 : number, new Map([...excluded, ...exclude]));
  };
  return defer(() => {
    const { resume } = life.options;
    return attempt(resume?.attempt ?? 1, new Map(), resume);
  });
};

/** Errors with `JobCancelled` where the job is cancelled before it was given to a server. */
const untilCancelled = (place: Observable<Placed>, { isCancelled }: JobLife): Observable<Placed> => {
  const ends = isCancelled.pipe(
    filter((is) => is),
    map((): never => {
      throw serviceError('JobCancelled', {});
    }),
  );
  return merge(place, ends).pipe(takeWhile(({ _tag }) => _tag !== 'given', true));
};

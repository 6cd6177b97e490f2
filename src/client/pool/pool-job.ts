import * as E from '../../core/protocol/either.js';
import {
  filter,
  finalize,
  ReplaySubject,
  switchMap,
  takeUntil,
  ignoreElements,
  catchError,
  concat,
  EMPTY,
  of,
} from 'rxjs';
import type { JobLife } from './job-life.js';
import { outputsOf } from '../../core/errors/outputs-of.js';
import type { Observable } from 'rxjs';
import type { PoolJob, PoolJobState } from './pool-types.js';
import { toAsyncIterable } from '../../core/interop/to-async-iterable.js';
import { toTaskEither } from '../../core/interop/to-task-either.js';

/** The states of a job that goes on to its end with and without subscribers; they replay the latest one. */
export const startLife = (states: Observable<PoolJobState>, settle: () => void): Observable<PoolJobState> => {
  const latest = new ReplaySubject<PoolJobState>(1);
  states.pipe(finalize(settle)).subscribe(latest);
  return latest.asObservable();
};

/** The handle of a job that a server has accepted. */
export const poolJob = (life: JobLife, states: Observable<PoolJobState>): PoolJob => {
  const end = concat(
    states.pipe(
      ignoreElements(),
      catchError(() => EMPTY),
    ),
    of(undefined),
  );
  return {
    get promptId() {
      return life.accepted.value?.job.promptId ?? '';
    },
    states,
    frames: life.accepted.pipe(
      filter((accepted) => accepted !== undefined),
      switchMap(({ job }) => job.frames),
      takeUntil(end),
    ),
    cancel: (options) => async () => {
      life.isCancelled.next(true);
      const { accepted, isGiven } = life;
      // One that waits, or whose answer is still to come, is cancelled by its life.
      return isGiven.value && accepted.value !== undefined
        ? accepted.value.job.cancel(options)()
        : E.right(undefined);
    },
    isWaiting: life.isWaiting.asObservable(),
    withdraw: () => {
      if (life.isGiven.value) return false;
      life.isCancelled.next(true);
      return true;
    },
    outputs: async () => {
      const last = await toTaskEither(states)();
      return E.isLeft(last) ? last : outputsOf(last.right);
    },
    [Symbol.asyncIterator]: () => toAsyncIterable(states, { overflow: 'latest' }),
  };
};

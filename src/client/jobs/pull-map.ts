import {
  catchError,
  concat,
  defer,
  EMPTY,
  finalize,
  merge,
  mergeMap,
  Observable,
  Subject,
  takeUntil,
  throwError,
} from 'rxjs';
import { fromAbortSignal } from '../../core/interop/from-abort-signal.js';
import { serviceError } from '../../core/errors/service-error.js';
import { toAsyncIterable } from '../../core/interop/to-async-iterable.js';

/** Values that are taken one by one. An Observable cannot be asked to wait: what it emits waits in a queue without a bound. */
export type Pullable<A> = Iterable<A> | AsyncIterable<A> | Observable<A>;

/** Options of {@link pullMap}. */
export interface PullMapOptions {
  /** How many of the streams run at once. */
  readonly limit: number;
  /** No more values are taken once one of these has fired. */
  readonly stops: readonly (AbortSignal | undefined)[];
}

/**
 * As rxjs's `mergeMap`, of values that are pulled: the next one is taken only when there is a place for its stream.
 *
 * rxjs's own takes all values of an iterable at once and buffers them, and with a limit it overflows the stack where
 * thousands of streams end as soon as they begin. Here values are pulled in a loop, and rxjs's merges without a limit.
 *
 * An error of the source or of a stream ends the pulling; the result errors with it once the streams that run have ended.
 * The iterator is returned (`return()`) wherever the pulling ends before the values do; a value that is pending by then is
 * dropped.
 */
export const pullMap = <A, B>(
  values: Pullable<A>,
  project: (value: A, index: number) => Observable<B>,
  { limit, stops }: PullMapOptions,
): Observable<B> =>
  defer(() => {
    const places = new Subject<void>();
    const failed = new Subject<void>();
    let active = 0;
    let failure: { readonly error: unknown } | undefined;
    const keep = (error: unknown): Observable<never> => {
      failure ??= { error };
      failed.next();
      return EMPTY;
    };
    const taken = pulled(values, () => active < limit, places).pipe(
      catchError(keep),
      takeUntil(merge(failed, ...stops.map(fromAbortSignal))),
    );
    const streams = taken.pipe(
      mergeMap((value, index) => {
        active += 1;
        return defer(() => project(value, index)).pipe(
          catchError(keep),
          finalize(() => {
            active -= 1;
            places.next();
          }),
        );
      }),
    );
    return concat(
      streams,
      defer(() => (failure === undefined ? EMPTY : throwError(() => failure?.error))),
    );
  });

/** Emits the values while there is a place; each emission of `places` checks again. */
const pulled = <A>(values: Pullable<A>, hasPlace: () => boolean, places: Observable<void>): Observable<A> =>
  new Observable((subscriber) => {
    const source = iteratorOf(values);
    let isExhausted = false;
    let isPending = false;
    let isPulling = false;

    const end = (tell: () => void): void => {
      isExhausted = true;
      tell();
    };
    const take = ({ done, value }: IteratorResult<A, unknown>): void => {
      if (done !== true) subscriber.next(value);
      else end(() => subscriber.complete());
    };
    const broken = (error: unknown): void => end(() => subscriber.error(error));
    const pull = (): void => {
      try {
        const result = source.next();
        if (!('then' in result)) {
          take(result);
          return;
        }
        isPending = true;
        void Promise.resolve(result)
          .then(take, broken)
          .finally(() => {
            isPending = false;
            pullAll();
          });
      } catch (error) {
        broken(error);
      }
    };
    /** In a loop: a stream that ends as soon as it begins frees its place while this runs. */
    const pullAll = (): void => {
      if (isPulling) return;
      isPulling = true;
      while (!subscriber.closed && !isPending && hasPlace()) pull();
      isPulling = false;
    };

    subscriber.add(places.subscribe({ next: pullAll, error: (error: unknown) => subscriber.error(error) }));
    pullAll();
    return () => {
      if (!isExhausted) void leave(source).catch(() => undefined);
    };
  });

/** Its promise rejects with what `return` throws, at once or later. */
const leave = async (source: Source<unknown>): Promise<void> => {
  await source.return?.();
};

type Source<A> = Iterator<A, unknown> | AsyncIterator<A, unknown>;

const iteratorOf = <A>(values: Pullable<A>): Source<A> => {
  // An untyped program may pass anything.
  const given = Object(values) as Pullable<A>;
  if (Symbol.iterator in given) return given[Symbol.iterator]();
  if (Symbol.asyncIterator in given) return given[Symbol.asyncIterator]();
  if ('subscribe' in given) return toAsyncIterable(given, { capacity: Infinity });
  throw serviceError('InvalidConfig', {
    option: 'workflows',
    message: 'workflows takes an iterable, an async iterable or an Observable of workflows.',
  });
};

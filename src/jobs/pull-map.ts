import { asyncValues } from '../interop/async-values.js';
import { fifo } from '../streams/fifo.js';
import { Observable } from 'rxjs';
import { onAbort } from '../interop/on-abort.js';
import { serviceError } from '../errors/service-error.js';
import { within } from '../streams/within.js';

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
 * An error of the source or of a stream ends the taking; it is told once the streams that run have ended. The iterator is
 * returned (`return()`) wherever the taking ends before the values do; one that is waited for by then is dropped.
 * Thousands of streams may end at once, each in its turn.
 */
export const pullMap = <A, B>(
  values: Pullable<A>,
  project: (value: A, index: number) => Observable<B>,
  { limit, stops }: PullMapOptions,
): Observable<B> =>
  new Observable((subscriber) => {
    const source = iteratorOf(values);
    let index = 0;
    let active = 0;
    let isOver = false;
    let isPulling = false;
    let isServing = false;
    let failure: { readonly error: unknown } | undefined;

    /** In a loop: what ends as soon as it begins comes back here before it has begun. */
    const serve = (): void => {
      if (isServing) return;
      isServing = true;
      while (!isOver && !isPulling && active < limit) pull();
      isServing = false;
      if (!isOver || active > 0) return;
      if (failure === undefined) subscriber.complete();
      else subscriber.error(failure.error);
    };
    const pull = (): void => {
      try {
        const result = source.next();
        if (!('then' in result)) {
          take(result);
          return;
        }
        isPulling = true;
        void Promise.resolve(result)
          .then(take, broken)
          .finally(() => {
            isPulling = false;
            serve();
          });
      } catch (error) {
        broken(error);
      }
    };
    const take = ({ done, value }: IteratorResult<A, unknown>): void => {
      if (isOver) return;
      if (done === true) isOver = true;
      else begin(value);
    };
    const broken = (error: unknown): void => {
      if (isOver) return;
      failure = { error };
      isOver = true;
    };
    const begin = (value: A): void => {
      active += 1;
      // The next one begins when this one has cleaned up, not as soon as it says that it is done.
      within(subscriber, () => project(value, index++), {
        next: (result) => subscriber.next(result),
        error: (error: unknown) => {
          failure ??= { error };
          stop();
        },
      }).add(() => {
        active -= 1;
        if (!subscriber.closed) serve();
      });
    };
    const stop = (): void => {
      if (isOver) return;
      isOver = true;
      void leave(source).catch(() => undefined);
    };

    subscriber.add(stop);
    for (const signal of stops) {
      subscriber.add(
        onAbort(signal, () => {
          stop();
          serve();
        }),
      );
      if (signal?.aborted === true) stop();
    }
    serve();
  });

/** Its promise tells of what `return` throws, at once or later. */
const leave = async (source: Source<unknown>): Promise<void> => {
  await source.return?.();
};

type Source<A> = Iterator<A, unknown> | AsyncIterator<A, unknown>;

const iteratorOf = <A>(values: Pullable<A>): Source<A> => {
  // Whatever an untyped program gives.
  const given = Object(values) as Pullable<A>;
  if (Symbol.iterator in given) return given[Symbol.iterator]();
  if (Symbol.asyncIterator in given) return given[Symbol.asyncIterator]();
  if ('subscribe' in given) return asyncValues(given, fifo());
  throw serviceError('InvalidConfig', {
    option: 'workflows',
    message: 'workflows takes an iterable, an async iterable or an Observable of workflows.',
  });
};

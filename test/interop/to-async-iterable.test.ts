import {
  BehaviorSubject,
  concat,
  EMPTY,
  from,
  NEVER,
  Observable,
  of,
  range,
  Subject,
  throwError,
} from 'rxjs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { AsyncValues } from '../../src/core/interop/to-async-iterable.js';
import { toAsyncIterable } from '../../src/core/interop/to-async-iterable.js';
import { countingSignal } from '../helpers/counting-signal.js';
import { settle } from '../helpers/settle.js';

const drain = async <A>(values: AsyncIterable<A>): Promise<A[]> => {
  const all: A[] = [];
  for await (const value of values) all.push(value);
  return all;
};

/** Waits until whatever could happen in microtasks has happened. */
const ended = { value: undefined, done: true };

describe('toAsyncIterable', () => {
  describe('reads', () => {
    it('each value in order, and ends with the source', async () => {
      expect(await drain(toAsyncIterable(from(['a', 'b', 'c'])))).toEqual(['a', 'b', 'c']);
      expect(await drain(toAsyncIterable(EMPTY))).toEqual([]);
    });

    it('what came between its call and the first next, since it subscribes at once', async () => {
      const source = new Subject<number>();
      const values = toAsyncIterable(source);
      expect(source.observed).toBe(true);
      source.next(1);
      source.next(2);
      source.complete();
      expect(await drain(values)).toEqual([1, 2]);
    });

    it('a value that comes while next is pending', async () => {
      const source = new Subject<number>();
      const values = toAsyncIterable(source);
      const pending = values.next();
      await settle();
      source.next(1);
      expect(await pending).toEqual({ value: 1, done: false });
    });

    it('the value that came just before completion, with a busy consumer', async () => {
      const source = new BehaviorSubject('a');
      const seen: string[] = [];
      for await (const value of toAsyncIterable(source)) {
        seen.push(value);
        if (value !== 'a') continue;
        source.next('b');
        source.next('last');
        source.complete();
      }
      expect(seen).toEqual(['a', 'b', 'last']);
    });

    it('undefined and null as values like others', async () => {
      expect(await drain(toAsyncIterable(of(undefined, null, 0)))).toEqual([undefined, null, 0]);
    });

    it('several next at once in order, the surplus ending', async () => {
      const source = new Subject<number>();
      const values = toAsyncIterable(source);
      const answers = Promise.all([values.next(), values.next(), values.next(), values.next()]);
      source.next(1);
      source.next(2);
      await settle();
      source.next(3);
      source.complete();
      expect(await answers).toEqual([
        { value: 1, done: false },
        { value: 2, done: false },
        { value: 3, done: false },
        ended,
      ]);
    });

    it('nothing more after the end', async () => {
      const values = toAsyncIterable(of(1));
      await drain(values);
      expect(await values.next()).toEqual(ended);
      expect(await values.next()).toEqual(ended);
    });
  });

  describe('errors', () => {
    it('reject the next after the values that came before them, once', async () => {
      const boom = new Error('boom');
      const values = toAsyncIterable(
        concat(
          of(1, 2),
          throwError(() => boom),
        ),
      );
      expect(await values.next()).toEqual({ value: 1, done: false });
      expect(await values.next()).toEqual({ value: 2, done: false });
      await expect(values.next()).rejects.toBe(boom);
      expect(await values.next()).toEqual(ended);
    });

    it('reject the first of several pending next and end the others', async () => {
      const boom = new Error('boom');
      const source = new Subject<number>();
      const values = toAsyncIterable(source);
      const answers = Promise.allSettled([values.next(), values.next(), values.next()]);
      source.next(1);
      source.error(boom);
      expect(await answers).toEqual([
        { status: 'fulfilled', value: { value: 1, done: false } },
        { status: 'rejected', reason: boom },
        { status: 'fulfilled', value: ended },
      ]);
    });

    it('leave no unhandled rejection without a next', async () => {
      toAsyncIterable(throwError(() => new Error('an unhandled rejection would fail the run')));
      await settle();
    });
  });

  describe('leaves at once', () => {
    it.each([
      ['return', (values: AsyncValues<number>) => values.return()],
      ['throw', (values: AsyncValues<number>) => values.throw(new Error('enough')).catch(() => ended)],
      ['dispose', (values: AsyncValues<number>) => values[Symbol.asyncDispose]()],
    ])('on %s: unsubscribes, drops what waits and ends a pending next', async (_, leave) => {
      const source = new Subject<number>();
      const values = toAsyncIterable(source);
      const pending = values.next();
      const left = leave(values);
      expect(source.observed).toBe(false);
      expect(await pending).toEqual(ended);
      await left;
      expect(await values.next()).toEqual(ended);

      const waiting = toAsyncIterable(of(1, 2, 3));
      await leave(waiting);
      expect(await waiting.next()).toEqual(ended);
    });

    it('on throw, with the error that was given', async () => {
      const enough = new Error('enough');
      await expect(toAsyncIterable(NEVER).throw(enough)).rejects.toBe(enough);
    });

    it('on break and on a throw in the loop', async () => {
      const source = new BehaviorSubject(1);
      for await (const value of toAsyncIterable(source)) {
        expect(value).toBe(1);
        break;
      }
      expect(source.observed).toBe(false);

      const loop = async (): Promise<void> => {
        for await (const value of toAsyncIterable(source)) throw new Error(`thrown at ${value}`);
      };
      await expect(loop()).rejects.toThrow('thrown at 1');
      expect(source.observed).toBe(false);
    });

    it('at the end of await using', async () => {
      const source = new Subject<number>();
      {
        await using values = toAsyncIterable(source);
        expect(source.observed).toBe(true);
        expect(values[Symbol.asyncIterator]()).toBe(values);
      }
      expect(source.observed).toBe(false);
    });

    it('when the last value was read, without another next', async () => {
      let torn = 0;
      const source = new Observable<number>((subscriber) => {
        subscriber.next(1);
        subscriber.complete();
        return () => (torn += 1);
      });
      await toAsyncIterable(source).next();
      expect(torn).toBe(1);
    });
  });

  describe('with a signal', () => {
    it('ends a pending next and unsubscribes when it fires', async () => {
      const { signal, abort } = countingSignal();
      const source = new Subject<number>();
      const pending = toAsyncIterable(source, { signal }).next();
      abort();
      expect(source.observed).toBe(false);
      expect(await pending).toEqual(ended);
    });

    it('drops what waits when it fires', async () => {
      const { signal, abort } = countingSignal();
      const values = toAsyncIterable(of(1, 2, 3), { signal });
      expect(await values.next()).toEqual({ value: 1, done: false });
      abort();
      expect(await values.next()).toEqual(ended);
    });

    it('does not subscribe if it has fired before', async () => {
      let subscribed = 0;
      const source = new Observable<number>(() => void (subscribed += 1));
      expect(await drain(toAsyncIterable(source, { signal: AbortSignal.abort() }))).toEqual([]);
      expect(subscribed).toBe(0);
    });

    it.each<readonly [string, Observable<number>, (values: AsyncValues<number>) => Promise<unknown>]>([
      ['the end of the source', of(1, 2), drain],
      [
        'an error of the source',
        throwError(() => new Error('boom')),
        (values) => values.next().catch(() => ended),
      ],
      ['return', NEVER, (values) => values.return()],
      ['overflow', range(2000), (values) => drain(values).catch(() => ended)],
    ])('removes its listener after %s', async (_, source, finish) => {
      const { signal, listeners } = countingSignal();
      const values = toAsyncIterable(source, { signal });
      expect(listeners()).toBe(1);
      await finish(values);
      expect(listeners()).toBe(0);
    });

    it('removes its listener when it fires', () => {
      const { signal, abort, listeners } = countingSignal();
      toAsyncIterable(NEVER, { signal });
      abort();
      expect(listeners()).toBe(0);
    });
  });

  it('has the type of an iterator that can be disposed of', () => {
    const values = toAsyncIterable(of(1));
    expectTypeOf(values).toExtend<AsyncIterableIterator<number> & AsyncDisposable>();
    expectTypeOf(values.next()).resolves.toEqualTypeOf<IteratorResult<number, undefined>>();
  });
});

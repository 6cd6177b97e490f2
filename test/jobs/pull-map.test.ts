import { describe, expect, it } from 'vitest';
import { config, mergeMap, NEVER, of, range, Subject, throwError } from 'rxjs';
import { type Pullable, pullMap } from '../../src/client/jobs/pull-map.js';
import { record } from '../helpers/record.js';
import { settle } from '../helpers/settle.js';

/** Lets all promises settle. */
/** A source of 0, 1, 2, … that notes how it is used. */
const counting = (count = Infinity) => {
  const used = { pulled: 0, returned: false };
  const next = (): IteratorResult<number, undefined> =>
    used.pulled < count ? { value: used.pulled++, done: false } : { value: undefined, done: true };
  const leave = () => {
    used.returned = true;
    return { value: undefined, done: true } as const;
  };
  const iterable: Iterable<number> = { [Symbol.iterator]: () => ({ next, return: leave }) };
  const asyncIterable: AsyncIterable<number> = {
    [Symbol.asyncIterator]: () => ({
      next: () => Promise.resolve(next()),
      return: () => Promise.resolve(leave()),
    }),
  };
  return { used, iterable, asyncIterable };
};

/** Streams that the test ends one by one. */
const jobs = () => {
  const running = new Map<number, Subject<string>>();
  return {
    begun: () => [...running.keys()],
    begin: (value: number) => {
      const job = new Subject<string>();
      running.set(value, job);
      return job;
    },
    end: (value: number) => running.get(value)?.complete(),
    tell: (value: number, word: string) => running.get(value)?.next(word),
    fail: (value: number, error: unknown) => running.get(value)?.error(error),
  };
};

/** A stream of the value alone. */
const itself = (value: number) => of(value);

const two = { limit: 2, stops: [] };

describe('pullMap', () => {
  it.each(['iterable', 'asyncIterable'] as const)(
    'I-18: takes the next value of an %s only when a place is free',
    async (kind) => {
      const source = counting();
      const { begin, begun, end } = jobs();
      record(pullMap(source[kind], begin, two));
      await settle();
      expect(source.used.pulled).toBe(2);
      end(1);
      await settle();
      expect(begun()).toEqual([0, 1, 2]);
      expect(source.used).toEqual({ pulled: 3, returned: false });
    },
  );

  it('I-18: takes no more than one value at a time of an async iterable, however many places are free', async () => {
    let asked = 0;
    const slow: AsyncIterable<number> = {
      [Symbol.asyncIterator]: () => ({
        next: () => {
          asked += 1;
          return new Promise(() => undefined);
        },
      }),
    };
    record(pullMap(slow, () => NEVER, { limit: Infinity, stops: [] }));
    await settle();
    expect(asked).toBe(1);
  });

  it('takes what an Observable emits, however much that is at once, and completes after the last', async () => {
    const { begin, begun, end } = jobs();
    const told = record(pullMap(of(0, 1, 2), begin, two));
    await settle();
    expect(begun()).toEqual([0, 1]);
    end(0);
    await settle();
    expect(begun()).toEqual([0, 1, 2]);
    end(1);
    end(2);
    await settle();
    expect(told.end).toBe('complete');
  });

  it.each([
    ['an iterable', () => [0, 1], [0, 1]],
    ['an async iterable', () => counting(2).asyncIterable, [0, 1]],
    ['an Observable', () => of(0, 1), [0, 1]],
    ['an empty one', () => [], []],
  ] as const)('completes where %s ends', async (_, values, expected) => {
    const told = record(pullMap(values(), itself, two));
    await settle();
    expect(told.end).toBe('complete');
    expect(told.values).toEqual(expected);
  });

  it.each(['iterable', 'asyncIterable'] as const)(
    'I-18: returns an %s where its subscriber leaves',
    async (kind) => {
      const source = counting();
      const told = record(pullMap(source[kind], () => NEVER, two));
      await settle();
      told.subscription.unsubscribe();
      await settle();
      expect(source.used).toEqual({ pulled: 2, returned: true });
    },
  );

  it('unsubscribes from an Observable where its subscriber leaves', async () => {
    const source = new Subject<number>();
    const told = record(pullMap(source, () => NEVER, two));
    expect(source.observed).toBe(true);
    told.subscription.unsubscribe();
    await settle();
    expect(source.observed).toBe(false);
  });

  it('does not return an iterator that has ended or failed by itself', async () => {
    const ended = counting(1);
    record(pullMap(ended.iterable, itself, two));
    expect(ended.used.returned).toBe(false);
    let returned = false;
    const failing: AsyncIterable<number> = {
      [Symbol.asyncIterator]: () => ({
        next: () => Promise.reject(new Error('broken')),
        return: () => {
          returned = true;
          return Promise.resolve({ value: undefined, done: true });
        },
      }),
    };
    record(pullMap(failing, itself, two));
    await settle();
    expect(returned).toBe(false);
  });

  const thrown = new Error('broken');
  it.each<[string, Pullable<number>]>([
    [
      'an iterable',
      (function* () {
        yield 0;
        throw thrown;
      })(),
    ],
    [
      'an async iterable',
      // eslint-disable-next-line @typescript-eslint/require-await -- a body is an async iterable
      (async function* () {
        yield 0;
        throw thrown;
      })(),
    ],
  ])('I-18: tells that %s failed once the streams that run have ended', async (_, values) => {
    const { begin, tell, end } = jobs();
    const told = record(pullMap(values, begin, two));
    await settle();
    tell(0, 'still here');
    expect(told).toMatchObject({ values: ['still here'], end: 'none' });
    end(0);
    expect(told).toMatchObject({ end: 'error', error: thrown });
  });

  it('takes nothing more where a stream errors, and errors once the others have ended', async () => {
    const source = counting();
    const { begin, tell, end, fail } = jobs();
    const told = record(pullMap(source.asyncIterable, begin, two));
    await settle();
    fail(0, thrown);
    await settle();
    tell(1, 'last words');
    expect(source.used).toEqual({ pulled: 2, returned: true });
    expect(told).toMatchObject({ values: ['last words'], end: 'none' });
    end(1);
    expect(told).toMatchObject({ end: 'error', error: thrown });
  });

  it('errors with the first of several errors', () => {
    const { begin, fail } = jobs();
    const told = record(pullMap([0, 1], begin, two));
    fail(1, thrown);
    fail(0, new Error('second'));
    expect(told.error).toBe(thrown);
  });

  it.each(['iterable', 'asyncIterable'] as const)(
    'I-19: takes nothing more of an %s once it is to stop, and completes with the streams that run',
    async (kind) => {
      const source = counting();
      const stop = new AbortController();
      const { begin, begun, tell, end } = jobs();
      const told = record(pullMap(source[kind], begin, { limit: 2, stops: [undefined, stop.signal] }));
      await settle();
      stop.abort();
      await settle();
      expect(source.used.returned).toBe(true);
      end(0);
      tell(1, 'last words');
      expect(told).toMatchObject({ values: ['last words'], end: 'none' });
      end(1);
      await settle();
      expect(begun()).toEqual([0, 1]);
      expect(told.end).toBe('complete');
    },
  );

  it('I-19: completes at once where nothing runs, and drops the value that it waited for', async () => {
    let give: (result: IteratorResult<number>) => void = () => undefined;
    const waiting: AsyncIterable<number> = {
      [Symbol.asyncIterator]: () => ({ next: () => new Promise((resolve) => (give = resolve)) }),
    };
    const stop = new AbortController();
    const { begin, begun } = jobs();
    const told = record(pullMap(waiting, begin, { limit: 1, stops: [stop.signal] }));
    stop.abort();
    expect(told.end).toBe('complete');
    give({ value: 1, done: false });
    await settle();
    expect(begun()).toEqual([]);
  });

  it('I-19: ignores an error of a source that it no longer pulls from', async () => {
    let fail: (error: Error) => void = () => undefined;
    const waiting: AsyncIterable<number> = {
      [Symbol.asyncIterator]: () => {
        let asked = 0;
        return {
          next: () =>
            (asked += 1) === 1
              ? Promise.resolve({ value: 0, done: false })
              : new Promise((_, reject) => (fail = reject)),
        };
      },
    };
    const stop = new AbortController();
    const { begin, end } = jobs();
    const told = record(pullMap(waiting, begin, { limit: 2, stops: [stop.signal] }));
    await settle();
    stop.abort();
    fail(thrown);
    await settle();
    end(0);
    expect(told).toMatchObject({ end: 'complete', error: undefined });
  });

  it.each([[{}], [undefined], [null], [5]])('refuses %o, which holds no values', (values) => {
    expect(record(pullMap(values as never, itself, two)).error).toMatchObject({
      _tag: 'InvalidConfig',
      option: 'workflows',
    });
  });

  it('takes nothing where it is to stop from the beginning', () => {
    const source = counting();
    const told = record(pullMap(source.iterable, itself, { limit: 1, stops: [AbortSignal.abort()] }));
    expect(told).toMatchObject({ values: [], end: 'complete' });
    expect(source.used.pulled).toBe(0);
  });

  it('bears a source whose return fails', async () => {
    const source: Iterable<number> = {
      [Symbol.iterator]: () => ({
        next: () => ({ value: 1, done: false }),
        return: () => {
          throw thrown;
        },
      }),
    };
    const told = record(pullMap(source, () => NEVER, two));
    told.subscription.unsubscribe();
    await settle();
    expect(told.end).toBe('none');
  });

  it('goes through thousands of streams that end at once', () => {
    const source = counting(20_000);
    const told = record(
      pullMap(source.iterable, (value) => (value % 2 === 0 ? of(value) : NEVER), {
        limit: Infinity,
        stops: [],
      }),
    );
    expect(told.values).toHaveLength(10_000);
  });

  it('is needed while the mergeMap of rxjs runs out of stack there', async () => {
    config.onUnhandledError = () => undefined;
    const first = new Subject<number>();
    const merged = record(range(0, 20_000).pipe(mergeMap((value) => (value === 0 ? first : of(value)), 1)));
    try {
      first.complete();
    } catch (error) {
      expect(error).toBeInstanceOf(RangeError);
    }
    await new Promise((resolve) => setTimeout(resolve));
    config.onUnhandledError = null;
    expect(merged.values.length).toBeLessThan(19_999);
    expect(merged.end).not.toBe('complete');
  });

  it('takes an error of its projection for one of the stream', () => {
    const project = () => {
      throw thrown;
    };
    expect(record(pullMap([1], project, two))).toMatchObject({ end: 'error', error: thrown });
    expect(record(pullMap([1], () => throwError(() => thrown), two))).toMatchObject({ error: thrown });
  });
});

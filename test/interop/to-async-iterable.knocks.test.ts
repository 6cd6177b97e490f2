import { Subject, tap, type Observable } from 'rxjs';
import type * as Library from 'rxjs-for-await';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { toAsyncIterable } from '../../src/interop/to-async-iterable.js';

const carried = vi.hoisted(() => ({ values: 0 }));

vi.mock(import('rxjs-for-await'), async (original): Promise<typeof Library> => {
  const actual = await original();
  return {
    ...actual,
    bufferedValuesFrom: <A>(source: Observable<A>) =>
      actual.bufferedValuesFrom(source.pipe(tap(() => (carried.values += 1)))),
  };
});

const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

afterEach(() => (carried.values = 0));

describe('toAsyncIterable, over a buffer without a bound', () => {
  it('puts nothing into it while nobody asks', async () => {
    const source = new Subject<number>();
    const values = toAsyncIterable(source, { capacity: 2, overflow: 'drop-oldest' });
    for (let i = 0; i < 1000; i++) source.next(i);
    expect((await values.next()).value).toBe(998);
    expect(carried.values).toBe(0);
  });

  it('puts one value into it for a burst that somebody waits for, and one for the next', async () => {
    const source = new Subject<number>();
    const values = toAsyncIterable(source, { capacity: 2, overflow: 'drop-oldest' });
    const asked = [values.next(), values.next(), values.next()];
    for (let i = 0; i < 1000; i++) source.next(i);
    expect(carried.values).toBe(1);
    await settled();
    source.next(1000);
    expect(carried.values).toBe(2);
    expect(await Promise.all(asked)).toMatchObject([{ value: 998 }, { value: 999 }, { value: 1000 }]);
  });
});

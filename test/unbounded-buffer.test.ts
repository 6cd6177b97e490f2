import { Subject, tap, type Observable } from 'rxjs';
import type * as Library from 'rxjs-for-await';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { toAsyncIterable } from '../src/core/interop/to-async-iterable.js';

const buffered = vi.hoisted(() => ({ values: 0 }));

vi.mock(import('rxjs-for-await'), async (original): Promise<typeof Library> => {
  const actual = await original();
  return {
    ...actual,
    bufferedValuesFrom: <A>(source: Observable<A>) =>
      actual.bufferedValuesFrom(source.pipe(tap(() => (buffered.values += 1)))),
  };
});

afterEach(() => (buffered.values = 0));

describe('toAsyncIterable, over a buffer without a bound', () => {
  it('puts nothing into it while values wait in the queue', async () => {
    const source = new Subject<number>();
    const values = toAsyncIterable(source, { capacity: 2, overflow: 'drop-oldest' });
    for (let i = 0; i < 1000; i++) source.next(i);
    expect((await values.next()).value).toBe(998);
    expect(buffered.values).toBe(0);
  });

  it('puts one value into it for each next that waits', async () => {
    const source = new Subject<number>();
    const values = toAsyncIterable(source, { capacity: 2, overflow: 'drop-oldest' });
    const asked = [values.next(), values.next(), values.next()];
    for (let i = 0; i < 1000; i++) source.next(i);
    const read = await Promise.all(asked.slice(0, 2));
    expect(buffered.values).toBe(2);
    source.next(1000);
    expect([...read, await asked[2]]).toMatchObject([{ value: 998 }, { value: 999 }, { value: 1000 }]);
    expect(buffered.values).toBe(3);
  });
});

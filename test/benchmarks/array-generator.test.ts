import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { arrayGenerator } from '../../benchmarks/baseline/array-generator.js';
import { toAsyncIterable } from '../../src/core/interop/to-async-iterable.js';

describe('the floor of the iteration benchmark', () => {
  it('gives the same values, those that waited and those that come later', async () => {
    const source = new Subject<number>();
    const read = async (values: AsyncIterable<number>): Promise<readonly number[]> => {
      const seen: number[] = [];
      for await (const value of values) seen.push(value);
      return seen;
    };
    const ours = read(toAsyncIterable(source, { capacity: 100 }));
    const theirs = read(arrayGenerator(source));
    for (let value = 0; value < 50; value += 1) source.next(value);
    await Promise.resolve();
    for (let value = 50; value < 60; value += 1) source.next(value);
    source.complete();
    expect(await theirs).toEqual(await ours);
    expect(await ours).toHaveLength(60);
  });
});

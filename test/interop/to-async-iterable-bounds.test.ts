import { from, NEVER, range, Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { toAsyncIterable } from '../../src/core/interop/to-async-iterable.js';
import type { Frame } from '../../src/core/protocol/frames/frame.js';
import { initialJobState } from '../../src/core/state/initial-job-state.js';
import type { JobState } from '../../src/core/state/job-state.js';
import { executing, nodeText, preview, start, step, success } from '../helpers/frames.js';

const drain = async <A>(values: AsyncIterable<A>): Promise<A[]> => {
  const all: A[] = [];
  for await (const value of values) all.push(value);
  return all;
};

const ended = { value: undefined, done: true };

describe('toAsyncIterable: what waits to be read', () => {
  describe('is bounded', () => {
    it('by 1,000 values and an error by default', async () => {
      expect(await drain(toAsyncIterable(range(1000)))).toHaveLength(1000);

      const values = toAsyncIterable(range(1001));
      for (let i = 0; i < 1000; i++) expect((await values.next()).value).toBe(i);
      await expect(values.next()).rejects.toMatchObject({ _tag: 'Overflow', capacity: 1000 });
      expect(await values.next()).toEqual(ended);
    });

    it('and unsubscribes from the source on overflow', () => {
      const source = new Subject<number>();
      toAsyncIterable(source, { capacity: 2 });
      source.next(1);
      source.next(2);
      expect(source.observed).toBe(true);
      source.next(3);
      expect(source.observed).toBe(false);
    });

    it('drop-oldest: by what came last', async () => {
      const values = toAsyncIterable(range(10), { capacity: 3, overflow: 'drop-oldest' });
      expect(await drain(values)).toEqual([7, 8, 9]);
    });

    it('latest: by the newest value of each key that the given function gives, and by every value without one', async () => {
      const source = from(['a1', 'b1', 'end', 'a2', 'end', 'b2', 'a3']);
      const key = (text: string) => (text === 'end' ? undefined : text.charAt(0));
      const values = toAsyncIterable(source, { overflow: 'latest', key });
      expect(await drain(values)).toEqual(['end', 'end', 'b2', 'a3']);
    });

    it.each(['error', 'drop-oldest', undefined] as const)(
      'refuses a key where %s replaces no value',
      (overflow) => {
        expect(() => toAsyncIterable(NEVER, { overflow, key: String })).toThrow(
          expect.objectContaining({ _tag: 'InvalidConfig', option: 'key' }),
        );
      },
    );

    it.each([[0], [-1], [Number.NaN]])('refuses a capacity of %d', (capacity) => {
      expect(() => toAsyncIterable(NEVER, { capacity })).toThrow(
        expect.objectContaining({ _tag: 'InvalidConfig', option: 'capacity' }),
      );
    });

    it('counts only what waits, not what was read', async () => {
      const source = new Subject<number>();
      const values = toAsyncIterable(source, { capacity: 2 });
      for (let i = 0; i < 100; i++) {
        source.next(i);
        source.next(-i);
        expect((await values.next()).value).toBe(i);
        expect((await values.next()).value).toBe(-i);
      }
    });
  });

  describe("overflow 'latest'", () => {
    const latestOf = <A>(values: readonly A[], capacity = 1000): Promise<A[]> =>
      drain(toAsyncIterable(from(values), { overflow: 'latest', capacity }));

    it('keeps the newest of values that have no more to them', async () => {
      expect(await latestOf([1, 2, 3])).toEqual([3]);
    });

    it('keeps all frames of a job’s life, and the newest picture, step and text of each node, in order', async () => {
      const frames: readonly Frame[] = [
        start('a'),
        preview('a', '5', [1]),
        step('a', '5', 1, 3),
        preview('a', '6', [1]),
        executing('a', '6'),
        nodeText('5', 'old', 'a'),
        preview('a', '5', [2]),
        step('a', '5', 2, 3),
        nodeText('5', 'new', 'a'),
        success('a'),
      ];
      expect(await latestOf(frames)).toEqual([
        frames[0],
        frames[3],
        frames[4],
        frames[6],
        frames[7],
        frames[8],
        frames[9],
      ]);
    });

    it('keeps the newest state of each job, so never loses a terminal one', async () => {
      const state = (promptId: string, phase: JobState['phase']): JobState =>
        initialJobState({ promptId, phase });
      const states = [
        state('a', 'pending'),
        state('b', 'pending'),
        state('a', 'completed'),
        state('b', 'in_progress'),
        state('b', 'failed'),
        state('c', 'pending'),
      ];
      expect(await latestOf(states)).toEqual([states[2], states[4], states[5]]);

      const indexed = states.map((each, i) => ({ index: i % 2, state: each }));
      expect(await latestOf(indexed)).toEqual([indexed[4], indexed[5]]);
    });

    it('gives up pictures before it fails, and fails rather than lose what counts', async () => {
      const crowded = [preview('a', '5'), start('a'), preview('a', '6'), executing('a', '5'), success('a')];
      expect(await latestOf(crowded, 3)).toEqual([crowded[1], crowded[3], crowded[4]]);

      const values = toAsyncIterable(from(crowded), { overflow: 'latest', capacity: 2 });
      expect((await values.next()).value).toBe(crowded[1]);
      expect((await values.next()).value).toBe(crowded[3]);
      await expect(values.next()).rejects.toMatchObject({ _tag: 'Overflow', capacity: 2 });
    });

    it('waits for a consumer that is faster than the source', async () => {
      const source = new Subject<number>();
      const values = toAsyncIterable(source, { overflow: 'latest' });
      for (const value of [1, 2, 3]) {
        const next = values.next();
        source.next(value);
        expect((await next).value).toBe(value);
      }
    });
  });

  it('moves no queued value when one is read: a long queue is never shifted or spliced', async () => {
    const moved: string[] = [];
    const { shift, splice } = Array.prototype;
    const spied = (name: string, original: (...args: never[]) => unknown) =>
      function (this: unknown[], ...args: never[]): unknown {
        if (this.length > 1000) moved.push(name);
        return original.apply(this, args);
      };
    Object.assign(Array.prototype, { shift: spied('shift', shift), splice: spied('splice', splice) });
    try {
      for (const overflow of ['error', 'drop-oldest'] as const) {
        let last = -1;
        for await (const value of toAsyncIterable(range(100_000), { capacity: 100_000, overflow })) {
          if (value !== last + 1) throw new Error(`${value} after ${last}`);
          last = value;
        }
        expect(last).toBe(99_999);
      }
    } finally {
      Object.assign(Array.prototype, { shift, splice });
    }
    expect(moved).toEqual([]);
  });
});

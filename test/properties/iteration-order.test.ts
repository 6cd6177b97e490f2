import fc from 'fast-check';
import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { toAsyncIterable } from '../../src/core/interop/to-async-iterable.js';
import { runs } from '../helpers/runs.js';

/** What producer and consumer do, in any order: a value, a question, or a wait of some microtasks. */
const moves = fc.array(
  fc.oneof(
    fc.constant({ _tag: 'put' as const }),
    fc.constant({ _tag: 'ask' as const }),
    fc.record({ _tag: fc.constant('wait' as const), ticks: fc.integer({ min: 1, max: 8 }) }),
  ),
  { maxLength: 60 },
);

type Moves = Parameters<typeof play>[0];

const boom = new Error('boom');

/** Plays the moves, ends the source, then reads on to the end; gives every answer in the order of the questions. */
const play = async (
  all: readonly { readonly _tag: 'put' | 'ask' | 'wait'; readonly ticks?: number }[],
  end: 'complete' | 'error',
  options: Parameters<typeof toAsyncIterable>[1],
) => {
  const source = new Subject<number>();
  const values = toAsyncIterable(source, options);
  const asked: Promise<IteratorResult<number, undefined>>[] = [];
  let put = 0;
  for (const { _tag, ticks = 0 } of all) {
    if (_tag === 'put') source.next(put++);
    if (_tag === 'ask') asked.push(values.next());
    for (let i = 0; i < ticks; i++) await Promise.resolve();
  }
  if (end === 'complete') source.complete();
  else source.error(boom);
  // One for each value that may wait, one for the end, one beyond it.
  for (let i = 0; i < put + 2; i++) asked.push(values.next());
  const answers = await Promise.allSettled(asked);
  return { put, answers, observed: source.observed };
};

const valuesIn = (answers: readonly PromiseSettledResult<IteratorResult<number, undefined>>[]): number[] =>
  answers.flatMap((answer) =>
    answer.status === 'fulfilled' && answer.value.done !== true ? [answer.value.value] : [],
  );

const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

const played = { numRuns: runs(1000) };

describe('async iteration', () => {
  it('yields the sequence of the source, then its end, for any interleaving of producer and consumer', async () => {
    await fc.assert(
      fc.asyncProperty(
        moves,
        fc.constantFrom('complete' as const, 'error' as const),
        async (all: Moves, end) => {
          const { put, answers, observed } = await play(all, end, { capacity: 60 });
          expect(valuesIn(answers)).toEqual(upTo(put));
          expect(answers.slice(0, put).every(({ status }) => status === 'fulfilled')).toBe(true);
          expect(answers.filter(({ status }) => status === 'rejected')).toHaveLength(end === 'error' ? 1 : 0);
          if (end === 'error') expect(answers[put]).toEqual({ status: 'rejected', reason: boom });
          expect(observed).toBe(false);
        },
      ),
      played,
    );
  });

  it('yields with drop-oldest a subsequence that ends in the last value, and all that fits', async () => {
    await fc.assert(
      fc.asyncProperty(moves, fc.integer({ min: 1, max: 5 }), async (all: Moves, capacity) => {
        const { put, answers } = await play(all, 'complete', { capacity, overflow: 'drop-oldest' });
        const values = valuesIn(answers);
        expect(values).toEqual([...new Set(values)].sort((a, b) => a - b));
        const fits = Math.min(put, capacity);
        expect(values.slice(values.length - fits)).toEqual(upTo(put).slice(put - fits));
      }),
      played,
    );
  });

  it('yields with latest a subsequence that ends in the last value', async () => {
    await fc.assert(
      fc.asyncProperty(moves, async (all: Moves) => {
        const { put, answers } = await play(all, 'complete', { overflow: 'latest' });
        const values = valuesIn(answers);
        expect(values).toEqual([...new Set(values)].sort((a, b) => a - b));
        expect(values.at(-1)).toBe(put === 0 ? undefined : put - 1);
      }),
      played,
    );
  });

  it('yields with error the sequence up to the overflow, which is then told once', async () => {
    await fc.assert(
      fc.asyncProperty(moves, fc.integer({ min: 1, max: 5 }), async (all: Moves, capacity) => {
        const { put, answers } = await play(all, 'complete', { capacity, overflow: 'error' });
        const values = valuesIn(answers);
        expect(values).toEqual(upTo(values.length));
        const rejected = answers.filter(({ status }) => status === 'rejected');
        expect(rejected).toHaveLength(values.length < put ? 1 : 0);
        for (const answer of rejected)
          expect(answer).toMatchObject({ reason: { _tag: 'Overflow', capacity } });
      }),
      played,
    );
  });

  it('ends every question and the subscription when it is left, at any moment', async () => {
    await fc.assert(
      fc.asyncProperty(moves, fc.boolean(), async (all: Moves, byReturn) => {
        const controller = new AbortController();
        const source = new Subject<number>();
        const values = toAsyncIterable(source, { signal: controller.signal });
        const asked: Promise<IteratorResult<number, undefined>>[] = [];
        let put = 0;
        for (const move of all) {
          if (move._tag === 'put') source.next(put++);
          if (move._tag === 'ask') asked.push(values.next());
          for (let i = 0; i < (move.ticks ?? 0); i++) await Promise.resolve();
        }
        if (byReturn) void values.return();
        else controller.abort();
        expect(source.observed).toBe(false);
        const answers = await Promise.allSettled([...asked, values.next()]);
        const got = valuesIn(answers);
        expect(got).toEqual(upTo(got.length));
        expect(answers.at(-1)).toEqual({ status: 'fulfilled', value: { value: undefined, done: true } });
      }),
      played,
    );
  });
});

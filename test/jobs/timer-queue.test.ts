import { type TimerQueue, timerQueue, type QueuedTimer } from '../../src/client/jobs/timer-queue.js';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { virtualClock } from '../../src/testing/virtual-clock.js';
import { runs } from '../helpers/runs.js';

const entry = (due: () => void = () => undefined): QueuedTimer => ({ dueAt: Infinity, place: -1, due });

const made = () => {
  const clock = virtualClock();
  return { clock, times: timerQueue(clock) };
};

describe('timerQueue', () => {
  it('calls each entry once, when its time has come', async () => {
    const { clock, times } = made();
    const seen: string[] = [];
    times.put(
      entry(() => seen.push(`b ${clock.now()}`)),
      20,
    );
    times.put(
      entry(() => seen.push(`a ${clock.now()}`)),
      10,
    );
    await clock.advance(100);
    expect(seen).toEqual(['a 10', 'b 20']);
    expect(clock.pending()).toBe(0);
  });

  it('holds one timer for all, and none for none', () => {
    const { clock, times } = made();
    const entries = Array.from({ length: 100 }, () => entry());
    entries.forEach((one, index) => times.put(one, 1_000 - index));
    expect(clock.pending()).toBe(1);
    entries.forEach(times.drop);
    expect(clock.pending()).toBe(0);
  });

  it('moves an entry that stands in it already, and takes it out with Infinity', async () => {
    const { clock, times } = made();
    const seen: number[] = [];
    const one = entry(() => seen.push(clock.now()));
    times.put(one, 10);
    times.put(one, 30);
    await clock.advance(20);
    expect(seen).toEqual([]);
    await clock.advance(20);
    expect(seen).toEqual([30]);
    times.put(one, 50);
    times.put(one, Infinity);
    await clock.advance(100);
    expect(seen).toEqual([30]);
    expect(clock.pending()).toBe(0);
  });

  it('lets an entry that is due put itself and drop others', async () => {
    const { clock, times } = made();
    const seen: string[] = [];
    const other = entry(() => seen.push('other'));
    let left = 3;
    const one = entry(() => {
      seen.push(`one ${clock.now()}`);
      times.drop(other);
      if ((left -= 1) > 0) times.put(one, clock.now() + 5);
    });
    times.put(one, 10);
    times.put(other, 10);
    await clock.advance(100);
    expect(seen.filter((name) => name !== 'other')).toEqual(['one 10', 'one 15', 'one 20']);
    expect(clock.pending()).toBe(0);
  });

  it('is set again where the clock wakes it early', () => {
    let wake = (): void => undefined;
    let now = 0;
    const delays: number[] = [];
    const times = timerQueue({
      now: () => now,
      wall: () => now,
      after: (delayMs, work) => {
        delays.push(delayMs);
        wake = work;
        return () => undefined;
      },
    });
    let calls = 0;
    times.put(
      entry(() => (calls += 1)),
      10,
    );
    now = 9.5;
    wake();
    expect(calls).toBe(0);
    now = 10;
    wake();
    expect(calls).toBe(1);
    expect(delays).toEqual([10, 0.5]);
  });

  it('law: after any puts, moves and drops, all that is left fires in order and in time', async () => {
    const step = fc.tuple(fc.integer({ min: 0, max: 19 }), fc.option(fc.integer({ min: 0, max: 50 })));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { clock, times } = made();
        const seen: (readonly [number, number])[] = [];
        const entries = Array.from({ length: 20 }, (_, index) =>
          entry(() => seen.push([clock.now(), index])),
        );
        const expected = applied(steps, entries, times);
        await clock.advance(100);
        expect(seen.map(([at]) => at)).toEqual([...expected.values()].sort((one, other) => one - other));
        expect(new Map(seen.map(([at, index]) => [index, at]))).toEqual(expected);
        expect(clock.pending()).toBe(0);
      }),
      { numRuns: runs(50) },
    );
  });
});

/** Puts and drops; gives back what is left by a plain map. */
const applied = (
  steps: readonly (readonly [number, number | null])[],
  entries: readonly QueuedTimer[],
  times: TimerQueue,
): Map<number, number> => {
  const left = new Map<number, number>();
  for (const [index, at] of steps) {
    left.delete(index);
    if (at === null) times.drop(entries[index]!);
    else {
      times.put(entries[index]!, at);
      left.set(index, at);
    }
  }
  return left;
};

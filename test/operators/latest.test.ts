import { Subject, VirtualTimeScheduler, type MonoTypeOperatorFunction } from 'rxjs';
import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import { latest } from '../../src/core/operators/latest.js';
import type { Frame } from '../../src/core/protocol/frames/frame.js';
import {
  executing,
  malformed,
  nodeText,
  preview,
  queueStatus,
  step,
  success,
  unknownBinary,
} from '../helpers/frames.js';
import { marbles } from '../helpers/marbles.js';
import { record } from '../helpers/record.js';

const frames: Record<string, Frame> = {
  a: preview('a', '5', [1]),
  b: preview('a', '5', [2]),
  c: preview('a', '5', [3]),
  d: preview('a', '5', [4]),
  n: preview('a', '6', [1]),
  o: preview('a', '6', [2]),
  p: preview(undefined, undefined, [1]),
  q: preview(undefined, undefined, [2]),
  g: step('a', '5', 1, 20),
  h: step('a', '5', 2, 20),
  t: nodeText('5', 'x', 'a'),
  f: preview('foreign', '5', [1]),
  F: preview('foreign', '5', [2]),
  e: executing('a', '6'),
  s: queueStatus(1),
  u: unknownBinary(9),
  m: malformed,
  x: success('a'),
};

describe('latest', () => {
  it('passes the first of a node at once, then the newest of each period at its end', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot(' -a-b-c-----d------|', frames);
      const subs = '       ^-----------------!';
      const expected = '   -a-------c-------d|';
      expectObservable(source.pipe(latest({ periodMs: 8 }))).toBe(expected, frames);
      expectSubscriptions(source.subscriptions).toBe(subs);
    });
  });

  it('does what its picture shows', () => {
    marbles(({ hot, expectObservable }) => {
      const source = hot(' -a-b-c-----d---x-----|', frames);
      const expected = '   -a-------c-----(dx)--|';
      expectObservable(source.pipe(latest({ periodMs: 8 }))).toBe(expected, frames);
    });
  });

  it('passes all where they are slower than the period', () => {
    marbles(({ hot, expectObservable }) => {
      const source = hot(' -a----b----c----|', frames);
      const expected = '   -a----b----c----|';
      expectObservable(source.pipe(latest({ periodMs: 4 }))).toBe(expected, frames);
    });
  });

  it('has a period for each kind, job and node', () => {
    marbles(({ hot, expectObservable }) => {
      const source = hot(' -a-n-p-g-t-f---------|', frames);
      const expected = '   -a-n-p-g-t-f---------|';
      expectObservable(source.pipe(latest({ periodMs: 20 }))).toBe(expected, frames);
    });
  });

  it('ends each period by itself', () => {
    marbles(({ hot, expectObservable }) => {
      const source = hot(' -a-nb-o------------|', frames);
      const expected = '   -a-n-------b-o-----|';
      expectObservable(source.pipe(latest({ periodMs: 10 }))).toBe(expected, frames);
    });
  });

  it('lets lifecycle, unknown and malformed frames through at once, each of them', () => {
    marbles(({ hot, expectObservable }) => {
      const source = hot(' -e-e-s-s-u-u-m-m-x-|', frames);
      const expected = '   -e-e-s-s-u-u-m-m-x-|';
      expectObservable(source.pipe(latest({ periodMs: 100 }))).toBe(expected, frames);
    });
  });

  it('releases the waiting frames of a job just before its next event, in the order of arrival', () => {
    marbles(({ hot, expectObservable }) => {
      const source = hot(' -(agnp)-h-q-b-o-e-------|', frames);
      const expected = '   -(agnp)---------(hqboe)-|';
      expectObservable(source.pipe(latest({ periodMs: 100 }))).toBe(expected, frames);
    });
  });

  it('keeps the waiting frames of other jobs, and all of them at a message without a job', () => {
    marbles(({ hot, expectObservable }) => {
      const source = hot(' -a-f-b-F-s-x---------|', frames);
      const expected = '   -a-f-----s-(bx)------(F|)';
      expectObservable(source.pipe(latest({ periodMs: 100 }))).toBe(expected, frames);
    });
  });

  it('begins a new period with a frame that was released early', () => {
    marbles(({ hot, expectObservable }) => {
      const source = hot(' -a--b-e---c---------|', frames);
      const expected = '   -a----(be)------c---|';
      expectObservable(source.pipe(latest({ periodMs: 10 }))).toBe(expected, frames);
    });
  });

  it('keeps the last value at completion', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot(' -a-n-o-b-|', frames);
      const subs = '       ^--------!';
      const expected = '   -a-n-----(ob|)';
      expectObservable(source.pipe(latest({ periodMs: 100 }))).toBe(expected, frames);
      expectSubscriptions(source.subscriptions).toBe(subs);
    });
  });

  it('passes an error at once and drops what waits', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot(' -a-b-#', frames);
      const subs = '       ^----!';
      expectObservable(source.pipe(latest({ periodMs: 100 }))).toBe('-a---#', frames);
      expectSubscriptions(source.subscriptions).toBe(subs);
    });
  });

  it('leaves no timer when it is unsubscribed from', () => {
    const scheduler = new VirtualTimeScheduler();
    const source = new Subject<Frame>();
    const told = record(source.pipe(latest({ periodMs: 10, scheduler })));
    source.next(frames.a!);
    source.next(frames.b!);
    told.subscription.unsubscribe();
    expect(source.observed).toBe(false);
    scheduler.flush();
    expect(told.values).toEqual([frames.a]);
    expect(scheduler.frame).toBe(0);
  });

  it('sets one timer for a period, however many frames come', () => {
    const scheduler = new VirtualTimeScheduler();
    const schedule = vi.spyOn(scheduler, 'schedule');
    const source = new Subject<Frame>();
    record(source.pipe(latest({ periodMs: 10, scheduler })));
    for (let i = 0; i < 100; i++) source.next(frames.a!);
    expect(schedule).toHaveBeenCalledTimes(1);
  });

  it('shares nothing between two subscriptions', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot('             -a-b-c-------|', frames);
      const result = source.pipe(latest({ periodMs: 6 }));
      expectObservable(result).toBe('  -a-----c-----|', frames);
      expectObservable(result, '--^').toBe('---b-----c---|', frames);
      expectSubscriptions(source.subscriptions).toBe(['^------------!', '--^----------!']);
    });
  });

  it('does not hold frames for longer when the clock is set back', () => {
    const scheduler = new VirtualTimeScheduler();
    let offset = 1_000_000;
    const now = scheduler.now.bind(scheduler);
    scheduler.now = () => now() + offset;
    const source = new Subject<Frame>();
    const told = record(source.pipe(latest({ periodMs: 10, scheduler })));
    source.next(frames.a!);
    offset = 0;
    source.next(frames.b!);
    expect(told.values).toEqual([frames.a, frames.b]);
  });

  it('keeps the order when a subscriber causes the next frame', () => {
    const source = new Subject<Frame>();
    const told = record(source.pipe(latest({ periodMs: 100 })), (frame) => {
      if (frame === frames.b) source.next(frames.n!);
    });
    source.next(frames.a!);
    source.next(frames.b!);
    source.next(frames.e!);
    source.complete();
    expect(told.values).toEqual([frames.a, frames.b, frames.e, frames.n]);
  });

  it('keeps the type of frames', () => {
    expectTypeOf(latest({ periodMs: 1 })).toEqualTypeOf<MonoTypeOperatorFunction<Frame>>();
  });
});

import { describe, expect, it } from 'vitest';
import { Deadline } from '../../src/http/deadline.js';
import { virtualClock } from '../helpers/virtual-clock.js';

const made = () => {
  const clock = virtualClock();
  const calls: number[] = [];
  return { clock, calls, deadline: new Deadline(clock, () => calls.push(clock.now())) };
};

describe('a deadline', () => {
  it('calls once, at its time', async () => {
    const { clock, calls, deadline } = made();
    deadline.set(100);
    await clock.advance(99);
    expect(calls).toEqual([]);
    await clock.advance(1000);
    expect([calls, clock.pending()]).toEqual([[100], 0]);
  });

  it.each([
    ['later', 300, 350],
    ['sooner', 20, 70],
  ])('may be moved %s', async (_, ms, at) => {
    const { clock, calls, deadline } = made();
    deadline.set(100);
    await clock.advance(50);
    deadline.set(ms);
    await clock.advance(1000);
    expect(calls).toEqual([at]);
  });

  it('is moved on many times by one timer', async () => {
    const { clock, calls, deadline } = made();
    for (let nth = 0; nth < 50; nth += 1) {
      deadline.set(100);
      expect(clock.pending()).toBe(1);
      await clock.advance(10);
    }
    await clock.advance(1000);
    expect(calls).toEqual([590]);
  });

  it('does nothing while it is held, and counts from anew afterwards', async () => {
    const { clock, calls, deadline } = made();
    deadline.set(100);
    deadline.hold();
    await clock.advance(500);
    expect([calls, clock.pending()]).toEqual([[], 0]);
    deadline.set(100);
    await clock.advance(500);
    expect(calls).toEqual([600]);
  });

  it('leaves no timer when it is cancelled', async () => {
    const { clock, calls, deadline } = made();
    deadline.set(100);
    deadline.cancel();
    deadline.cancel();
    expect(clock.pending()).toBe(0);
    await clock.advance(500);
    expect(calls).toEqual([]);
  });
});

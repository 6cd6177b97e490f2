import { describe, expect, it } from 'vitest';
import { intervalOn, timerOn } from '../../src/core/platform/timer.js';
import { virtualClock } from '../../src/testing/virtual-clock.js';

describe('timerOn', () => {
  it('emits once when its time has come and completes', async () => {
    const clock = virtualClock();
    const seen: string[] = [];
    timerOn(clock, 50).subscribe({ next: () => seen.push('next'), complete: () => seen.push('complete') });
    await clock.advance(49);
    expect(seen).toEqual([]);
    await clock.advance(1);
    expect(seen).toEqual(['next', 'complete']);
  });

  it('sets its timer on subscribe and cancels it on unsubscribe', () => {
    const clock = virtualClock();
    const timer = timerOn(clock, 50);
    expect(clock.pending()).toBe(0);
    const subscription = timer.subscribe();
    expect(clock.pending()).toBe(1);
    subscription.unsubscribe();
    expect(clock.pending()).toBe(0);
  });
});

describe('intervalOn', () => {
  it('emits each time that its time has come, and not at once, until it is left', async () => {
    const clock = virtualClock();
    const times: number[] = [];
    const interval = intervalOn(clock, 50).subscribe(() => times.push(clock.now()));
    await clock.advance(149);
    expect(times).toEqual([50, 100]);
    await clock.advance(1);
    interval.unsubscribe();
    expect([times, clock.pending()]).toEqual([[50, 100, 150], 0]);
  });
});

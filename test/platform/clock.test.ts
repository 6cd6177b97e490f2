import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { realClock } from '../../src/core/platform/clock.js';

describe('realClock', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('calls once after the delay', () => {
    let calls = 0;
    realClock.after(100, () => (calls += 1));
    vi.advanceTimersByTime(99);
    expect(calls).toBe(0);
    vi.advanceTimersByTime(1000);
    expect(calls).toBe(1);
  });

  it('B7: keeps delays that a timer cannot hold', () => {
    let calls = 0;
    realClock.after(3e9, () => (calls += 1));
    vi.advanceTimersByTime(3e9 - 1);
    expect(calls).toBe(0);
    vi.advanceTimersByTime(1);
    expect(calls).toBe(1);
  });

  it('can be cancelled, also in a later piece and after the fact', () => {
    let calls = 0;
    const cancel = realClock.after(3e9, () => (calls += 1));
    vi.advanceTimersByTime(2.5e9);
    cancel();
    cancel();
    vi.advanceTimersByTime(3e9);
    expect(calls).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('takes a negative delay for none', () => {
    let calls = 0;
    realClock.after(-5, () => (calls += 1));
    vi.advanceTimersByTime(0);
    expect(calls).toBe(1);
  });
});

describe('realClock, background', () => {
  it.each([
    ['a background timer does not', { background: true }, 0],
    ['any other timer does', undefined, 1],
  ])('keeps the process alive: %s', (_, options, kept) => {
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    const cancel = realClock.after(1e6, () => undefined, options);
    const after = timers();
    cancel();
    expect(after - before).toBe(kept);
  });

  it('tells monotonic and wall time', () => {
    expect(realClock.now()).toBeLessThanOrEqual(realClock.now());
    expect(new Date(realClock.wall()).getFullYear()).toBeGreaterThan(2024);
  });
});

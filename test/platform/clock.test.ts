import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { realClock } from '../../src/platform/clock.js';

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
  it('does not keep the process alive', () => {
    const before = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const cancel = realClock.after(1e6, () => undefined, { background: true });
    const cancelOther = realClock.after(1e6, () => undefined);
    const after = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    cancel();
    cancelOther();
    expect(after - before).toBe(1);
  });

  it('tells monotonic and wall time', () => {
    expect(realClock.now()).toBeLessThanOrEqual(realClock.now());
    expect(new Date(realClock.wall()).getFullYear()).toBeGreaterThan(2024);
  });
});

import { abortAfter } from '../../src/core/platform/abort-after.js';
import { expect, it } from 'vitest';
import { virtualClock } from '../../src/testing/virtual-clock.js';

it('aborts once the time of the clock is over, as AbortSignal.timeout does', async () => {
  const clock = virtualClock();
  const signal = abortAfter(clock, 50);
  await clock.advance(49);
  expect(signal.aborted).toBe(false);
  await clock.advance(1);
  expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
});

it('keeps no process alive', () => {
  const timers: unknown[] = [];
  const after = (delayMs: number, _: () => void, options?: object) => {
    timers.push([delayMs, options]);
    return () => undefined;
  };
  abortAfter({ after }, 50);
  expect(timers).toEqual([[50, { background: true }]]);
});

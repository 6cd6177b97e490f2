import { countingSignal } from '../helpers/counting-signal.js';
import { expect, it } from 'vitest';
import { pause } from '../../src/core/http/pause.js';
import { Subscription } from 'rxjs';
import { virtualClock } from '../../src/testing/virtual-clock.js';

it('waits its time, and leaves no timer and no listener', async () => {
  const clock = virtualClock();
  const { signal, listeners } = countingSignal();
  const waiting = pause({ clock, timeoutMs: 100, signal });
  expect([listeners(), clock.pending()]).toEqual([1, 1]);
  await clock.advance(100);
  await expect(waiting).resolves.toBeUndefined();
  expect([listeners(), clock.pending()]).toEqual([0, 0]);
});

it.each([
  ['signal', 'aborted'],
  ['closed', 'closed'],
])('is cut short by %s as %s, before or after it began', async (name, how) => {
  const clock = virtualClock();
  const { signal, abort, listeners } = countingSignal();
  const waiting = pause({ clock, timeoutMs: 100, [name]: signal });
  abort();
  await expect(waiting).resolves.toBe(how);
  await expect(pause({ clock, timeoutMs: 100, [name]: signal })).resolves.toBe(how);
  expect([listeners(), clock.pending()]).toEqual([0, 0]);
});

it('is cut short by the end of a withdrawal, before or after it began, and leaves nothing in it', async () => {
  const clock = virtualClock();
  const withdrawal = new Subscription();
  const first = pause({ clock, timeoutMs: 100, withdrawal });
  await clock.advance(100);
  await expect(first).resolves.toBeUndefined();
  const waiting = pause({ clock, timeoutMs: 100, withdrawal });
  withdrawal.unsubscribe();
  await expect(waiting).resolves.toBe('aborted');
  await expect(pause({ clock, timeoutMs: 100, withdrawal })).resolves.toBe('aborted');
  expect(clock.pending()).toBe(0);
});

it('ends with what it waits for besides', async () => {
  const clock = virtualClock();
  const { signal, listeners } = countingSignal();
  await expect(pause({ clock, timeoutMs: 100, signal }, Promise.resolve())).resolves.toBeUndefined();
  expect([listeners(), clock.pending()]).toEqual([0, 0]);
});

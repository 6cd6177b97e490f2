import { expect, it } from 'vitest';
import { restartableTimer } from '../../../src/server/gateway/streams/restartable-timer.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';

it('a timer calls what it was set to last, once, unless it is cleared, and keeps no process alive', async () => {
  const clock = virtualClock();
  const called: string[] = [];
  const timer = restartableTimer(clock);
  const set = (afterMs: number, name: string): void => timer.set(afterMs, () => called.push(name));
  expect(timer.isSet()).toBe(false);
  set(100, 'first');
  await clock.advance(99);
  set(100, 'second');
  expect([timer.isSet(), clock.pending()]).toEqual([true, 1]);
  await clock.advance(99);
  expect(called).toEqual([]);
  await clock.advance(1);
  expect([called, timer.isSet()]).toEqual([['second'], false]);
  set(100, 'third');
  timer.clear();
  timer.clear();
  expect([timer.isSet(), clock.pending()]).toEqual([false, 0]);
  set(100, 'fourth');
  await clock.runUntilIdle();
  expect([clock.now(), called]).toEqual([199, ['second']]);
});

import { expect, it, onTestFinished, vi } from 'vitest';
import { storeClock } from '../../../src/server/queue/store/store-clock.js';

it('goes by this machine until the server has told its time, and by that of the server from then on', () => {
  vi.useFakeTimers({ now: 1_000_000 });
  onTestFinished(() => void vi.useRealTimers());
  let elapsed = 40;
  const clock = storeClock(() => elapsed);
  expect(clock.now()).toBe(1_000_000);
  elapsed += 5;
  expect(clock.now()).toBe(1_000_005);
  clock.set(7_000);
  expect(clock.now()).toBe(7_000);
  elapsed += 5;
  // A clock of this machine that is set changes nothing.
  vi.setSystemTime(9_000_000);
  expect(clock.now()).toBe(7_005);
});

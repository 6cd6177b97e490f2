import type { Clock } from '../../../core/platform/platform.js';
import { restartableTimer } from './restartable-timer.js';
import { Subscription } from 'rxjs';

/**
 * Calls `send` after each `everyMs` of silence, until it is unsubscribed from.
 *
 * @param sentAt - When the last bytes were sent, on the clock's `now`.
 */
export const keepAlive = (
  clock: Clock,
  everyMs: number,
  sentAt: () => number,
  send: () => void,
): Subscription => {
  const timer = restartableTimer(clock);
  const checkIn = (afterMs: number): void =>
    timer.set(afterMs, () => {
      const silentMs = clock.now() - sentAt();
      if (silentMs >= everyMs) send();
      checkIn(silentMs < everyMs ? everyMs - silentMs : everyMs);
    });
  checkIn(everyMs);
  return new Subscription(timer.clear);
};

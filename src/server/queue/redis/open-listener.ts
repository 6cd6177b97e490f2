import { fromEvent, takeUntil } from 'rxjs';
import { intervalOn } from '../../../core/platform/timer.js';
import { realClock } from '../../../core/platform/clock.js';
import type { Redis } from 'ioredis';

const pingEveryMs = 10_000;

/**
 * Opens a connection that listens to channels; `onListening` is called each time that it does so from then on, after notifications may have been
 * missed. It subscribes anew whenever the server is back.
 *
 * That is not left to ioredis, which handles no rejection of such a subscription: one that the connection's end or the server's refusal
 * meets would end the process.
 */
export const openListener = (
  redis: Redis,
  channels: () => readonly string[],
  onListening = (): void => undefined,
): Redis => {
  const listener = redis.duplicate({ autoResubscribe: false });
  // The connection reports every attempt while the server is away, and goes on trying.
  listener.on('error', () => undefined);
  listener.on('ready', () => {
    const all = channels();
    if (all.length > 0) listener.subscribe(...all).then(onListening, () => undefined);
  });
  // A server that stands still sends no notifications and ends no connection: the answer to this is missed (`socketTimeout`).
  intervalOn(realClock, pingEveryMs)
    .pipe(takeUntil(fromEvent(listener, 'end')))
    .subscribe({ next: () => void listener.ping().catch(() => undefined), error: () => undefined });
  return listener;
};

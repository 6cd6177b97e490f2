import { intervalOn } from '../../../core/platform/timer.js';
import { realClock } from '../../../core/platform/clock.js';
import type { Redis } from 'ioredis';

const pingEveryMs = 10_000;

/** A connection that listens to channels. */
export interface OpenListener {
  readonly redis: Redis;
  /** Ends the connection at once, also while the server is unreachable. */
  readonly close: () => void;
}

/**
 * Opens a connection that listens to channels; `onListening` is called each time that it does so from then on, after notifications may have been
 * missed. It subscribes anew whenever the server is back.
 *
 * That is not left to ioredis, which handles no rejection of such a subscription: one that the connection's end or the server's refusal
 * meets would end the process.
 */
export const openListener = (
  from: Redis,
  channels: () => readonly string[],
  onListening = (): void => undefined,
): OpenListener => {
  const redis = from.duplicate({ autoResubscribe: false });
  // The connection reports every attempt while the server is unreachable, and goes on trying.
  redis.on('error', () => undefined);
  redis.on('ready', () => {
    const all = channels();
    if (all.length > 0) redis.subscribe(...all).then(onListening, () => undefined);
  });
  // A server that stands still sends no notifications and ends no connection: the answer to this is missed (`socketTimeout`).
  const pings = intervalOn(realClock, pingEveryMs).subscribe({
    next: () => void redis.ping().catch(() => undefined),
    error: () => undefined,
  });
  return {
    redis,
    close: () => {
      // A client that waits to connect again says nothing of its end.
      pings.unsubscribe();
      redis.disconnect();
    },
  };
};

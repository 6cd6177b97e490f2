import type { Clock } from '../../core/platform/platform.js';

/** Tokens, of which each request takes one, and which come back with time. */
export interface TokenBucket {
  /** How many there are now; a request takes a whole one. */
  readonly level: () => number;
  readonly take: () => void;
}

/** Makes a {@link TokenBucket} that is full: it holds `burst` tokens, and gets `perSecond` of them a second. */
export const tokenBucket = (clock: Pick<Clock, 'now'>, perSecond: number, burst: number): TokenBucket => {
  let tokens = burst;
  let countedAt = clock.now();
  return {
    level: () => {
      const now = clock.now();
      tokens = Math.min(burst, tokens + ((now - countedAt) * perSecond) / 1000);
      countedAt = now;
      return tokens;
    },
    take: () => {
      tokens -= 1;
    },
  };
};

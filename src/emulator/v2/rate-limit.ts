import type { EmulatorClock } from '../clock.js';

/** Counts the requests of one account. */
export interface RateLimit {
  /** Counts a request; false if it is one too many. */
  readonly admit: () => boolean;
}

/** Admits `perMinute` requests a minute: that many at once, and then as many as time makes up for. */
export const createRateLimit = ({ now }: Pick<EmulatorClock, 'now'>, perMinute: number): RateLimit => {
  let tokens = perMinute;
  let countedAt = now();
  return {
    admit: () => {
      if (perMinute === Infinity) return true;
      tokens = Math.min(perMinute, tokens + ((now() - countedAt) * perMinute) / 60_000);
      countedAt = now();
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
  };
};

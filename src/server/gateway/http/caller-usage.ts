import type { CallerLimits, GatewayTotals } from '../options.js';
import type { Clock } from '../../../core/platform/platform.js';

/** Counts what callers use, by their names. */
export interface CallerUsage {
  /** Counts one request against the caller's rate: undefined if it may pass, else the seconds until the next one may. */
  readonly request: (name: string, limits: Pick<CallerLimits, 'requestsPerSecond'>) => number | undefined;
  /**
   * Takes one of `limit` streams or uploads: gives what releases it, once or more often, or whose limit is reached: that of the caller,
   * or of all callers together.
   */
  readonly take: (
    name: string,
    what: 'streams' | 'uploads',
    limit: number,
  ) => (() => void) | 'caller' | 'all';
}

/** Callers whose use is remembered; beyond it, those who use nothing are forgotten. */
const maxCallers = 10_000;

/**
 * Makes a {@link CallerUsage}. A caller's rate may be exceeded for a second, and is met on average over two; one below a request in two
 * seconds lets a request pass as soon as its time has come.
 */
export const callerUsage = (
  clock: Pick<Clock, 'now'>,
  totals: Pick<GatewayTotals, 'streams' | 'uploads'>,
): CallerUsage => {
  const inAll = { streams: 0, uploads: 0 };
  const callers = new Map<string, Usage>();

  const usageOf = (name: string): Usage => {
    const known = callers.get(name);
    if (known !== undefined) return known;
    if (callers.size >= maxCallers) {
      for (const [other, usage] of callers) if (isIdle(usage, clock.now())) callers.delete(other);
    }
    const usage: Usage = {
      tokens: Infinity,
      at: clock.now(),
      wholeInMs: 0,
      streams: 0,
      uploads: 0,
    };
    callers.set(name, usage);
    return usage;
  };

  return {
    request: (name, { requestsPerSecond: rate }) => {
      const usage = usageOf(name);
      const now = clock.now();
      usage.tokens = Math.min(Math.max(1, 2 * rate), usage.tokens + ((now - usage.at) / 1000) * rate);
      usage.at = now;
      usage.wholeInMs = Math.max(2000, 1000 / rate);
      if (usage.tokens < 1) return (1 - usage.tokens) / rate;
      usage.tokens -= 1;
      return undefined;
    },
    take: (name, what, limit) => {
      const usage = usageOf(name);
      if (usage[what] >= limit) return 'caller';
      if (inAll[what] >= totals[what]) return 'all';
      usage[what] += 1;
      inAll[what] += 1;
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        usage[what] -= 1;
        inAll[what] -= 1;
      };
    },
  };
};

interface Usage {
  /** Requests that the caller may send at once; infinite at first, which `request` bounds. */
  tokens: number;
  /** When `tokens` was counted. */
  at: number;
  /** How long the caller has to be silent to have its whole rate again, in milliseconds. */
  wholeInMs: number;
  streams: number;
  uploads: number;
}

/** Whether a caller has no open streams and uploads, and its whole rate back: that takes two seconds, or the time of one request. */
const isIdle = ({ at, wholeInMs, streams, uploads }: Usage, now: number): boolean =>
  streams === 0 && uploads === 0 && now - at > wholeInMs;

import type { CallerLimits } from '../options.js';
import type { Clock } from '../../../core/platform/platform.js';

/** Counts what callers use, by their names. */
export interface CallerUsage {
  /** Takes one request of the caller's rate: undefined, or the seconds until there is one again. */
  readonly request: (name: string, limits: Pick<CallerLimits, 'requestsPerSecond'>) => number | undefined;
  /** Takes one of `limit` streams or uploads: gives what releases it, once or more often, or undefined where all are taken. */
  readonly take: (name: string, what: 'streams' | 'uploads', limit: number) => (() => void) | undefined;
}

/** Callers whose use is remembered; beyond it, those who use nothing are forgotten. */
const mostCallers = 10_000;

/** Makes a {@link CallerUsage}. A caller's rate may be exceeded for a second, and is met on average over two. */
export const callerUsage = (clock: Pick<Clock, 'now'>): CallerUsage => {
  const callers = new Map<string, Usage>();

  const usageOf = (name: string): Usage => {
    const known = callers.get(name);
    if (known !== undefined) return known;
    if (callers.size >= mostCallers) {
      for (const [other, usage] of callers) if (isIdle(usage, clock.now())) callers.delete(other);
    }
    const usage: Usage = { tokens: Infinity, at: clock.now(), streams: 0, uploads: 0 };
    callers.set(name, usage);
    return usage;
  };

  return {
    request: (name, { requestsPerSecond: rate }) => {
      const usage = usageOf(name);
      const now = clock.now();
      usage.tokens = Math.min(2 * rate, usage.tokens + ((now - usage.at) / 1000) * rate);
      usage.at = now;
      if (usage.tokens < 1) return (1 - usage.tokens) / rate;
      usage.tokens -= 1;
      return undefined;
    },
    take: (name, what, limit) => {
      const usage = usageOf(name);
      if (usage[what] >= limit) return undefined;
      usage[what] += 1;
      let isHeld = true;
      return () => {
        if (isHeld) usage[what] -= 1;
        isHeld = false;
      };
    },
  };
};

interface Usage {
  /** Requests that the caller may send at once; infinite at first, which `request` bounds. */
  tokens: number;
  /** When `tokens` was counted. */
  at: number;
  streams: number;
  uploads: number;
}

/** After two seconds without a request a caller has its whole rate again. */
const isIdle = ({ at, streams, uploads }: Usage, now: number): boolean =>
  streams === 0 && uploads === 0 && now - at > 2000;

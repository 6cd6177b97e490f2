import { isJsonObject } from '../protocol/json/json.js';
import { parseJson } from '../protocol/json/parse-json.js';

/** Keeps a text between programs: a file, `localStorage`, a row of a table. It may fail; the durations are then those of this client. */
export interface DurationStore {
  /** The text that was written last; undefined before the first. */
  readonly read: () => string | undefined | Promise<string | undefined>;
  /** Replaces the text, after a job has ended. */
  readonly write: (text: string) => unknown;
}

/** What was measured of one kind of work. */
export interface Duration {
  /** The mean, in milliseconds, of which newer ones are the larger part. */
  readonly ms: number;
  /** The mean of how far they were off, as a share of the mean. */
  readonly spread: number;
  /** So many were measured. */
  readonly count: number;
}

/** The durations of the nodes and jobs of one client, the most recently used ones. */
export interface Durations {
  /** The duration of this key; undefined if none was measured. */
  readonly get: (key: string) => Duration | undefined;
  /**
   * Takes one more; `replaces` the first one where that was of another sort, as a model is loaded from disk only once. The mean
   * is that of the last few, as many as `memory`; default 5.
   */
  readonly add: (
    key: string,
    ms: number,
    options?: { readonly replaces?: boolean; readonly memory?: number },
  ) => void;
  /** The durations as JSON, which {@link durations} reads. */
  readonly text: () => string;
  /** Takes those of a text for keys that it has none of; a text of another form has none. */
  readonly restore: (text: string | undefined) => void;
}

/** Keeps no durations at first, and then those of so many keys. */
export const durations = (maxKept = 1_000): Durations => {
  const known = new Map<string, Duration>();
  const put = (key: string, duration: Duration): void => {
    known.delete(key);
    known.set(key, duration);
    const [oldest] = known.keys();
    if (known.size > maxKept && oldest !== undefined) known.delete(oldest);
  };
  return {
    get: (key) => known.get(key),
    add: (key, ms, { replaces = false, memory = 5 } = {}) => {
      const before = known.get(key);
      const count = (before?.count ?? 0) + 1;
      const isFirst = before === undefined || (replaces && count === 2);
      if (isFirst) {
        put(key, { ms, spread: 0, count });
        return;
      }
      const share = 1 / Math.min(count, memory);
      const off = Math.abs(ms - before.ms) / Math.max(1, before.ms);
      put(key, {
        ms: before.ms + (ms - before.ms) * share,
        spread: before.spread + (off - before.spread) * share,
        count,
      });
    },
    text: () =>
      JSON.stringify(
        Object.fromEntries(
          [...known].map(([key, { ms, spread, count }]) => [key, [ms, spread, count].map(inShort)]),
        ),
      ),
    restore: (text) => {
      const read = text === undefined ? undefined : parseJson(text);
      for (const [key, value] of Object.entries(isJsonObject(read) ? read : {}).slice(-maxKept)) {
        const [ms, spread, count] = Array.isArray(value) ? (value as readonly unknown[]) : [];
        if (isAmount(ms) && isAmount(spread) && isAmount(count) && count >= 1 && !known.has(key))
          put(key, { ms, spread, count });
      }
    },
  };
};

const inShort = (value: number): number => Number(value.toPrecision(4));

const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value < Infinity;

import type { EmulatorClock } from '../clock.js';

/** The single-use keys of one account. */
export interface IdempotencyKeys {
  /** False if the key is claimed already; otherwise it is claimed from now on. */
  readonly claim: (key: string) => boolean;
  /** Makes a key usable again, after a refusal by which certainly nothing was done. */
  readonly release: (key: string) => void;
  /** The keys and when they were claimed. */
  readonly claimed: () => ReadonlyMap<string, number>;
  /** Claims keys as another service has. */
  readonly restore: (claimed: ReadonlyMap<string, number>) => void;
}

/** Remembers the newest 10,000 keys, each for `keyRetentionMs`. */
export const createIdempotencyKeys = (
  { now }: Pick<EmulatorClock, 'now'>,
  keyRetentionMs: number,
): IdempotencyKeys => {
  const claimedAt = new Map<string, number>();
  return {
    claim: (key) => {
      const before = claimedAt.get(key);
      if (before !== undefined && now() < before + keyRetentionMs) return false;
      claimedAt.delete(key);
      claimedAt.set(key, now());
      const [oldest] = claimedAt.keys();
      if (claimedAt.size > CAPACITY && oldest !== undefined) claimedAt.delete(oldest);
      return true;
    },
    release: (key) => void claimedAt.delete(key),
    claimed: () => claimedAt,
    restore: (claimed) => {
      for (const [key, at] of claimed) claimedAt.set(key, at);
    },
  };
};

const CAPACITY = 10_000;

/** The key of a request, if it has one; `invalid` unless it has 1 to 255 characters. */
export const readIdempotencyKey = (
  header: string | readonly string[] | undefined,
): { readonly key: string | undefined } | 'invalid' => {
  if (header === undefined) return { key: undefined };
  return typeof header === 'string' && header.length >= 1 && header.length <= 255
    ? { key: header }
    : 'invalid';
};

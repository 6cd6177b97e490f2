/** Options of {@link backoff}. */
export interface BackoffOptions {
  /** Upper bound of the first delay; default 1000. */
  readonly baseMs?: number | undefined;
  /** Upper bound of every delay; default 30 000. */
  readonly capMs?: number | undefined;
}

/**
 * How long to wait before attempt `attempt + 1`, in milliseconds: anywhere between nothing and a bound that doubles.
 *
 * `attempt` counts failures from 0; `random` is a number from 0 to 1. The whole range is used (full jitter), so that
 * many clients that lost the same server do not come back together.
 */
export const backoff = (
  attempt: number,
  random: number,
  { baseMs = 1000, capMs = 30_000 }: BackoffOptions = {},
): number => Math.floor(random * Math.min(capMs, baseMs * 2 ** Math.max(0, attempt)));

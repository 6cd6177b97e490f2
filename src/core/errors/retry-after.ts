/** A day; a longer wait is not meant literally. */
const maxRetryAfterMs = 86_400_000;

/**
 * Reads a `Retry-After` header as milliseconds from now; undefined without a usable value.
 *
 * The value is a number of seconds or an HTTP date, which is compared with `wallMs` (milliseconds since 1970); a past date
 * gives 0. Negative, infinite and unreadable values are unusable; more than a day counts as a day.
 */
export const retryAfter = (header: string | undefined, wallMs: number): number | undefined => {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d+(?:\.\d+)?$/u.test(text)) return clamp(Number(text) * 1000);
  if (!/^[A-Za-z]/u.test(text)) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : clamp(date - wallMs);
};

const clamp = (ms: number): number => Math.min(maxRetryAfterMs, Math.max(0, Math.round(ms)));

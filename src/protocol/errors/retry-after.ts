/** A day: whoever asks for more means no particular time. */
const longestMs = 86_400_000;

/**
 * Reads a `Retry-After` header as milliseconds from now, or undefined where there is no usable hint.
 *
 * It is a number of seconds or an HTTP date, which is compared with `wallMs` (milliseconds since 1970); a date that has
 * passed means now. Negative, infinite and unreadable values are no hint; at most a day is kept.
 */
export const retryAfter = (header: string | undefined, wallMs: number): number | undefined => {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d+(?:\.\d+)?$/u.test(text)) return clamp(Number(text) * 1000);
  if (!/^[A-Za-z]/u.test(text)) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : clamp(date - wallMs);
};

const clamp = (ms: number): number => Math.min(longestMs, Math.max(0, Math.round(ms)));

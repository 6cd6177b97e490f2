import { annotated } from '../contract/annotated.js';
import * as t from 'io-ts';

/** How long a request waits for its job by default: less than the minute of most proxies. */
export const defaultMaxWaitMs = 50_000;

const seconds = annotated(t.number, { minimum: 0, maximum: 86_400, multipleOf: 1 });

/**
 * Reads `wait=N` of the header `Prefer` (RFC 7240): the milliseconds that the request waits for the end of its job, at most `maxMs`; undefined
 * where it does not wait. What can't be read is no preference.
 */
export const readWait = (header: string | null, maxMs: number): number | undefined => {
  const preferences = (header ?? '').split(',').map((text) => text.split(';', 1).join().trim());
  const [, text] =
    preferences.map((one) => /^wait\s*=\s*"?(\d{1,6})"?$/iu.exec(one)).find((found) => found !== null) ?? [];
  const wait = Number(text);
  return text !== undefined && seconds.is(wait) ? Math.min(wait * 1000, maxMs) : undefined;
};

import { mayLoseNumbers, parseAsSent } from './exact-json.js';
import { parseJson } from './parse-json.js';

/**
 * Parses JSON as `parseJson` does, and keeps its numbers as they were sent: integers beyond 2^53 as `bigint`, and `NaN`, `Infinity` and
 * `-Infinity`. Undefined for the same texts.
 */
export const parseSent = (text: string): unknown => {
  const json = parseJson(text);
  return json !== undefined && mayLoseNumbers(text) ? parseAsSent(text) : json;
};

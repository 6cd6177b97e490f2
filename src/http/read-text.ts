import type { CallScope } from './call-scope.js';
import type { Clock, HttpResponse } from '../platform/platform.js';
import { membersOf } from '../protocol/json/members-of.js';
import { parseJson } from '../protocol/json/parse-json.js';
import type { RedactValue } from '../redaction/redact-value.js';
import { tooManyValues } from '../protocol/json/json.js';

/** A body as text, and whether it was longer than the limit. */
export interface BodyText {
  /** Of a truncated body only the beginning, at least 64 KiB: joining all of it would take its size once more. */
  readonly text: string;
  readonly isTruncated: boolean;
}

/** How a body is read. */
export interface ReadTextOptions {
  readonly maxBytes: number;
  /** Returns what has arrived where the body breaks off or the scope ends, without more time for each chunk; default false. */
  readonly acceptPartial?: boolean;
}

/**
 * Reads at most `maxBytes` of a body as UTF-8 and discards the rest.
 *
 * Rejects with the error of the body, or as soon as the scope ends, unless `acceptPartial`; the body is discarded then, too.
 */
export const readText = async (
  response: HttpResponse,
  scope: CallScope,
  { maxBytes, acceptPartial = false }: ReadTextOptions,
): Promise<BodyText> => {
  const decoder = new TextDecoder();
  const chunks = response.body[Symbol.asyncIterator]();
  let text = '';
  let beginning = '';
  let left = maxBytes;
  let whole = false;
  try {
    for (;;) {
      if (!acceptPartial) scope.patient();
      const chunk = await scope.race(chunks.next());
      if (chunk.done === true) {
        whole = true;
        return { text: text + decoder.decode(), isTruncated: false };
      }
      text += decoder.decode(chunk.value.subarray(0, left), { stream: true });
      if (beginning.length < beginningLength) beginning = text;
      left -= chunk.value.byteLength;
      if (left < 0) return { text: beginning, isTruncated: true };
    }
  } catch (cause) {
    if (!acceptPartial) throw cause;
    return { text, isTruncated: true };
  } finally {
    if (!whole) response.discard();
  }
};

const beginningLength = 64 * 1024;

/** How long parsing may block the event loop at once. */
const workMs = 15;

/**
 * Parses a large JSON object member by member, redacts it, and yields to the event loop in between.
 *
 * Undefined where the text is no object, or a member of it is no JSON or holds too many values itself.
 */
export const parseInPieces = async (
  text: string,
  clock: Clock,
  redactValue: RedactValue = (value) => value,
): Promise<unknown> => {
  const entries: [string, unknown][] = [];
  const members = membersOf(text);
  let since = clock.now();
  for (;;) {
    const next = members.next();
    if (next.done === true) return next.value ? Object.fromEntries(entries) : undefined;
    const name = parseJson(next.value.name);
    const value = tooManyValues(next.value.value) ? undefined : parseJson(next.value.value);
    if (typeof name !== 'string' || value === undefined) return undefined;
    entries.push([redactValue(name), redactValue(value, next.value.value)]);
    if (clock.now() - since < workMs) continue;
    await new Promise<void>((resolve) => clock.after(0, resolve));
    since = clock.now();
  }
};

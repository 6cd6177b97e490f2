import { membersOf } from '../protocol/members-of.js';
import { parseJson } from '../protocol/parse-json.js';
import { tooManyValues } from '../protocol/too-many-values.js';
import type { RedactValue } from '../protocol/errors/value-redactor.js';
import type { Clock } from '../socket/platform.js';

/** How long the program may stand still for it at once. */
const workMs = 15;

/**
 * Reads a large JSON object member by member, without secrets, and lets the rest of the program have its turn in between.
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

import type { Clock } from '../platform/platform.js';
import { countValues } from '../protocol/json/json.js';
import { membersOf, type WrittenMember } from '../protocol/json/members-of.js';
import { parseJson } from '../protocol/json/parse-json.js';
import type { RedactValue } from '../redaction/redact-value.js';

/** Parses a large JSON object member by member while its text comes, redacts it, and yields to the event loop in between. */
export interface MembersReader {
  /**
   * Parses what is whole and gives the rest, which precedes the text that comes next. Undefined where the text is no object, or
   * a member of it is no JSON, larger than 8 Mi characters, or of too many values.
   */
  readonly take: (text: string) => Promise<string | undefined>;
  /** Parses the rest and gives the object; undefined for the same reasons. */
  readonly end: (text: string) => Promise<unknown>;
}

/** Makes a reader of one object. */
export const membersReader = (clock: Clock, redactValue: RedactValue = (value) => value): MembersReader => {
  const entries: [string, unknown][] = [];
  let values = 0;
  let since = clock.now();

  /** Parses a member; false where it can't be. */
  const add = async (member: WrittenMember): Promise<boolean> => {
    const count = countValues(member.value, mostInMember);
    values += count;
    if (count > mostInMember || values > mostInAll) return false;
    const name = parseJson(member.name);
    const value = parseJson(member.value);
    if (typeof name !== 'string' || value === undefined) return false;
    entries.push([redactValue(name), redactValue(value, member.value)]);
    if (clock.now() - since < workMs) return true;
    await new Promise<void>((resolve) => clock.after(0, resolve));
    since = clock.now();
    return true;
  };

  return {
    take: async (text) => {
      // The last whole member stays, so that the rest is an object again.
      let last: WrittenMember | undefined;
      for (const member of membersOf(text)) {
        if (last !== undefined && !(await add(last))) return undefined;
        last = member;
      }
      const rest = last === undefined ? text : `{${text.slice(last.start)}`;
      return rest.length <= longestMember && /^\s*\{\s*"/u.test(rest) ? rest : undefined;
    },
    end: async (text) => {
      const members = membersOf(text);
      for (;;) {
        const next = members.next();
        if (next.done === true) return next.value ? Object.fromEntries(entries) : undefined;
        if (!(await add(next.value))) return undefined;
      }
    },
  };
};

/** How long parsing may block the event loop at once. */
const workMs = 15;

const longestMember = 8 * 1024 * 1024;
const mostInMember = 250_000;

/** A service with 60 MB of node classes has some two million values. */
const mostInAll = 4_000_000;

import { done, type Steps } from '../../../core/protocol/steps.js';
import { inSlices } from '../../../core/platform/in-slices.js';
import { parsingExactJson, writeExactJson } from '../../../core/protocol/json/exact-json.js';
import { realClock } from '../../../core/platform/clock.js';
import { turnForLargeText } from '../../joblog/turn-for-large.js';

/**
 * Writes a value of the store: JSON with exact integers, and before it a sum of eight digits over key and text.
 *
 * The sum tells a value that was damaged, or that stands below another key, from every value that was written.
 */
export const storedText = (key: string, value: unknown): string => summed(key, writeExactJson(value));

/** Puts the sum before a text of JSON. */
export const summed = (key: string, text: string): string => `${sumOf(key, text)} ${text}`;

/** Reads what {@link storedText} wrote; undefined if it is anything else. */
export const readStored = (key: string, stored: string): { readonly value: unknown } | undefined => {
  const text = textIn(key, stored);
  return text === undefined ? undefined : done(parsing(text));
};

/** Reads as {@link readStored} does; a large text is summed up and parsed in turns of their own. */
export const readStoredInTurns = async (
  key: string,
  stored: string,
): Promise<{ readonly value: unknown } | undefined> => {
  await turnForLargeText(stored);
  const text = textIn(key, stored);
  if (text === undefined) return undefined;
  await turnForLargeText(text);
  return inSlices(parsing(text), realClock);
};

/** The text of JSON in a stored one; undefined if its sum is another one. */
const textIn = (key: string, stored: string): string | undefined => {
  const text = stored.slice(9);
  return stored.slice(0, 9) === `${sumOf(key, text)} ` ? text : undefined;
};

function* parsing(text: string): Steps<{ readonly value: unknown } | undefined> {
  try {
    return { value: yield* parsingExactJson(text) };
  } catch {
    return undefined;
  }
}

/** FNV-1a of 32 bits over the code units of both. */
const sumOf = (key: string, text: string): string => {
  const sum = add(add(0x811c9dc5, key), text);
  return (sum >>> 0).toString(16).padStart(8, '0');
};

const add = (sum: number, text: string): number => {
  let result = sum;
  for (let at = 0; at < text.length; at += 1) result = Math.imul(result ^ text.charCodeAt(at), 0x01000193);
  return result;
};

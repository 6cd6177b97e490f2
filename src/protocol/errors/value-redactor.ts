import { mayHold } from './may-hold.js';
import { redactJson } from './redact-json.js';
import { redactor } from './redact.js';

/**
 * Takes secrets out of every text of a value that came from outside. Where the text that it was read from is given and can
 * hold none of them, the value is given back without a look into it.
 */
export type RedactValue = <A>(value: A, raw?: string) => A;

/**
 * Makes a function that replaces these secrets in the texts and member names of a JSON value, in every encoding that
 * `redactor` knows.
 *
 * A secret of less than 8 characters is left: it may be a word or part of an id, and programs act on these values.
 */
export const valueRedactor = (secrets: readonly string[]): RedactValue => {
  const long = secrets.filter(({ length }) => length >= shortest);
  if (long.length === 0) return (value) => value;
  const redact = redactor(long);
  const isSuspect = mayHold(long);
  return (value, raw) => (raw !== undefined && !isSuspect(raw) ? value : redactJson(value, redact));
};

const shortest = 8;

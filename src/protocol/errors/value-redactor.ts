import { mayHold } from './may-hold.js';
import { redactJson } from './redact-json.js';
import { type Hide, hiding, redactorBy } from './redact.js';

/**
 * Takes secrets out of every text of a value that came from outside. Where the text that it was read from is given and can
 * hold none of them, the value is given back without a look into it.
 */
export type RedactValue = <A>(value: A, raw?: string) => A;

/**
 * Makes a function that replaces these secrets in the texts and member names of a JSON value, in every encoding that
 * `redactor` knows.
 *
 * A secret of less than 8 characters is left: it may be a word or part of an id, and programs act on these values. What replaces
 * a secret comes from `hideOf`, so that it may be shared with a redactor of texts.
 */
export const valueRedactor = (
  secrets: readonly string[],
  hideOf: (secret: string) => Hide = hiding,
): RedactValue => {
  const long = secrets.filter(({ length }) => length >= shortest);
  if (long.length === 0) return (value) => value;
  const redact = redactorBy(hideOf, long);
  const isSuspect = mayHold(long);
  return (value, raw) => (raw !== undefined && !isSuspect(raw) ? value : redactJson(value, redact));
};

const shortest = 8;

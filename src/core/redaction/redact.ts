import {
  base64Forms,
  betweenHex,
  charactersOf,
  escapeForPattern,
  mayContain,
  hexByte,
} from './secret-forms.js';
import { longestSecret } from './cut-text.js';
import { withoutControls } from './plain-text.js';

/**
 * Makes a function that replaces each of these secrets in a text by `[redacted]`, in any of the usual encodings.
 *
 * It finds a secret in plain, percent-encoded and form-encoded text (also encoded twice, or character by character), in
 * JSON and `\x` escapes and in UTF-16 (a NUL beside each character), each of these also reversed; in hex; and in base64
 * and base64url at any offset within other encoded data. Case does not matter. Empty secrets are ignored.
 *
 * A secret with ten backslashes apart from one another takes about 0.6 s on a text that almost matches it on purpose, and
 * each further one takes four times as long; a run of them counts as one.
 *
 * @example
 * ```ts
 * import { redactor } from 'promptwire';
 *
 * const redact = redactor(['s3cret-key']);
 * console.log(redact('wss://host/ws?token=s3cret%2Dkey')); // wss://host/ws?token=[redacted]
 * ```
 */
export const redactor = (secrets: readonly string[]): ((text: string) => string) =>
  redactorWith(secretRedactor, secrets);

/** Replaces secrets in a text. */
export type Redact = (text: string) => string;

/** A {@link redactor} that gets the function for each secret from `redactorFor`, which may cache it. */
export const redactorWith = (redactorFor: (secret: string) => Redact, secrets: readonly string[]): Redact => {
  // The longest first: one secret may contain another.
  const known = [...new Set(secrets)]
    .filter((secret) => secret !== '')
    .sort((one, other) => other.length - one.length);
  const isSuspect = mayContain(known);
  const redactors = known.map(redactorFor);
  return (text) => (isSuspect(text) ? redactors.reduce((safe, redact) => redact(safe), text) : text);
};

/**
 * Makes a function that replaces one secret. It compiles its patterns on first use, which takes some 20 ms; so callers that
 * make several redactors of the same secret cache this function.
 */
export const secretRedactor = (secret: string): Redact => {
  let patterns: { readonly end: RegExp; readonly whole: RegExp } | undefined;
  return (text) => {
    const { end, whole } = (patterns ??= patternsOf(secret));
    return end.test(text) ? text.replace(whole, mark) : text;
  };
};

/** A pattern of the secret's end, which most texts lack and which is quick to test, and one of the whole secret. */
const patternsOf = (secret: string) => {
  const sequences = sequencesOf(secret);
  const patternOf = (pieces: number, flags: string): RegExp =>
    new RegExp(sequences.map(([parts, between]) => parts.slice(-pieces).join(between)).join('|'), flags);
  return { end: patternOf(endPieces, 'i'), whole: patternOf(Infinity, 'gi') };
};

/**
 * Shortens an untrusted text to at most `max` UTF-16 units that are safe to show: without escape sequences, control
 * characters and direction marks, and with `[redacted]` in place of anything that looks like a key.
 *
 * `redact` (see {@link redactor}) runs before the text is cut, and once more after. A text that was cut ends in `…`.
 */
export const sampleOf = (text: string, max: number, redact: Redact = (shown) => shown): string => {
  // Keeps the work in proportion to `max` for a text of any length.
  const start = text.slice(0, max * 8 + longestSecret);
  const isCut = start.length < text.length;
  // Once more: a dropped control sequence may have split a secret.
  const safe = redact(withoutControls(redact(start)));
  // A secret that crosses the cut is not recognised, so this much text before it is dropped, now that nothing parts the secret.
  const clean = withoutKeyLikes(isCut ? safe.slice(0, -longestSecret) : safe);
  return isCut || clean.length > max ? `${withoutHalfPair(clean.slice(0, max - 1))}…` : clean;
};

const mark = '[redacted]';

/** Long enough that a text rarely contains these characters by chance. */
const endPieces = 6;

/** One encoding of a secret: a pattern for each part, and a pattern between two parts. */
type Sequence = readonly [parts: readonly string[], between: string];

const sequencesOf = (secret: string): Sequence[] => {
  const bytes = new TextEncoder().encode(secret);
  const characters = charactersOf(secret).map(encodedCharacter);
  const nul = `${nulBy(backslash)}?`;
  return [
    [characters, nul],
    [characters.toReversed(), nul],
    [Array.from(bytes, hexByte), betweenHex],
    ...base64Forms(bytes).map((digits): Sequence => [digits, '']),
  ];
};

/**
 * The backslash of an escape, which each text around doubles, up to three of them. With a bound of four the patterns take V8 four
 * times as long to compile.
 */
const backslash = '\\\\{1,8}';

/** The NUL beside each character of UTF-16, plain or escaped by these backslashes. */
const nulBy = (backslashes: string): string => `(?:\\0|${backslashes}(?:(?:u00|x)00|0)|%(?:25)*00)`;

/** A pattern for one character, or one run of backslashes, in an address, a form, JSON or a log. */
const encodedCharacter = (character: string): string => {
  // Each backslash matches in one way only: a long run must not backtrack exponentially.
  if (character.startsWith('\\')) {
    const one = '(?:\\\\(?:(?:u00|x)5c)?|%(?:25)*5c)';
    const { length } = character;
    const run = `${one}{${length},${length * 4}}`;
    // In UTF-16 a NUL follows each; all but one of the backslashes that escape it count as the run's.
    return length > 1 ? `(?:${run}|(?:${one}{1,5}${nulBy('\\\\')}){${length - 1}}${one}{1,4})` : run;
  }
  const json = JSON.stringify(character).slice(1, -1);
  const units = character.split('').map((unit) => unit.charCodeAt(0));
  const bytes = Array.from(new TextEncoder().encode(character), hexByte);
  const forms = [
    bytes.map((byte) => `%(?:25)*${byte}`).join(''),
    units.map((unit) => `${backslash}u${unit.toString(16).padStart(4, '0')}`).join(''),
    bytes.map((byte) => `${backslash}x${byte}`).join(''),
    ...(character === ' ' ? ['\\+'] : []),
    // JSON escapes some control characters by a letter.
    ...(/^\\[a-z]$/u.test(json) ? [`${backslash}${json.slice(1)}`] : []),
    `\\\\{0,4}${escapeForPattern(character)}${escapeDigits(character)}`,
  ];
  return `(?:${forms.join('|')})`;
};

/**
 * The digits of a `u` or `x` escape. After a secret's own backslashes, the pattern above takes the escape's backslash for one
 * of them and its letter for the character itself, so the digits remain to be matched.
 */
const escapeDigits = (character: string): string => {
  const code = hexByte(character.charCodeAt(0));
  if (/u/i.test(character)) return `(?:00${code})?`;
  return /x/i.test(character) ? `(?:${code})?` : '';
};

/** Keys of the service begin with `comfyui-`; each character may be encoded. */
const serviceKeyPattern = (): RegExp => {
  const first = Array.from('comfyui-', encodedCharacter).join('');
  const others = /(?:[\w-]|(?:%(?:25)*|\\{1,8}(?:u00|x))(?:2d|3\d|[46][1-9a-f]|[57][\da]|5f))+/;
  return new RegExp(first + others.source, 'gi');
};

/** Marked as pure, so that bundlers drop it where nothing is redacted. */
const serviceKey = /* @__PURE__ */ serviceKeyPattern();
const bearer = /\b(bearer\s+)[^\s"'\\,;]+/gi;
const named =
  /(api[-_]?key\w{0,40}|token|authorization|password|secret|sig(?:nature)?|x-(?:amz|goog)-[\w-]{1,40})(\\*["']?\s*[:=]\s*\\*["']?)(?!bearer\s)[^\s"'\\&,;}]+/gi;

const withoutKeyLikes = (text: string): string =>
  text.replace(serviceKey, mark).replace(bearer, `$1${mark}`).replace(named, `$1$2${mark}`);

const withoutHalfPair = (text: string): string => text.replace(/[\ud800-\udbff]$/, '');

import { base64Forms, betweenHex, charactersOf, escapeForPattern, mayHold, hexByte } from './secret-forms.js';
import { withoutControls } from './plain-text.js';

/**
 * Makes a function that replaces each of these secrets by `[redacted]` in a text, in whatever encoding it stands there.
 *
 * Found are: as it is, percent and form encoded (also twice, and each character on its own), JSON and `\x` escapes,
 * UTF-16 (a NUL beside each character), each of these also from the last character to the first; hex; base64 and
 * base64url at any offset within other encoded data; upper and lower case alike. Empty secrets are ignored.
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
  redactorBy(hiding, secrets);

/** Replaces secrets in a text. */
export type Hide = (text: string) => string;

/** A {@link redactor} that takes what replaces each secret from `hideOf`, which may keep it for the next one. */
export const redactorBy = (hideOf: (secret: string) => Hide, secrets: readonly string[]): Hide => {
  // The longest first, as a secret may stand within another one.
  const known = [...new Set(secrets)]
    .filter((secret) => secret !== '')
    .sort((one, other) => other.length - one.length);
  const isSuspect = mayHold(known);
  const hides = known.map(hideOf);
  return (text) => (isSuspect(text) ? hides.reduce((shown, hide) => hide(shown), text) : text);
};

/**
 * Makes a function that replaces one secret. Its patterns are made when a text is first suspect, which few are: an engine
 * takes some 40 ms to compile them. Code that makes redactors of overlapping secrets keeps this function.
 */
export const hiding = (secret: string): Hide => {
  let patterns: { readonly end: RegExp; readonly whole: RegExp } | undefined;
  return (text) => {
    const { end, whole } = (patterns ??= patternsOf(secret));
    return end.test(text) ? text.replace(whole, mark) : text;
  };
};

/** The end of a secret, which hardly any text has, and the whole of it. */
const patternsOf = (secret: string) => {
  const sequences = sequencesOf(secret);
  const patternOf = (pieces: number, flags: string): RegExp =>
    new RegExp(sequences.map(({ parts, between }) => parts.slice(-pieces).join(between)).join('|'), flags);
  return { end: patternOf(endPieces, 'i'), whole: patternOf(Infinity, 'gi') };
};

/**
 * Shortens a text that came from outside to at most `max` UTF-16 units that a person may see: escape sequences, control
 * characters and marks that turn the writing direction are gone, and what looks like a key is `[redacted]`.
 *
 * `redact` (see {@link redactor}) runs before anything is cut, and once more after. A text that was cut ends in `…`.
 *
 * @example
 * ```ts
 * import { sampleOf } from 'promptwire';
 *
 * const sample = sampleOf('\u001b[31mtoken=abc123\n', 80); // 'token=[redacted]'
 * ```
 */
export const sampleOf = (text: string, max: number, redact?: (text: string) => string): string => {
  // What is looked at stays in proportion to what is shown, however long the text is.
  const start = text.slice(0, max * 8 + longestSecret);
  const isCut = start.length < text.length;
  const hide = redact ?? ((shown: string) => shown);
  const safe = hide(start);
  // Once more, as what was dropped may have stood within a secret.
  const clean = withoutKeys(hide(withoutControls(isCut ? safe.slice(0, -longestSecret) : safe)));
  return isCut || clean.length > max ? `${withoutHalfPair(clean.slice(0, max - 1))}…` : clean;
};

const mark = '[redacted]';

/** The first half of a secret at the edge of what is looked at is not recognised, so that much of the edge is dropped. */
const longestSecret = 1024;

/** So much of a secret's end stands in hardly any text by chance. */
const endPieces = 6;

/** One form of a secret: the patterns of its parts, and what may stand between them. */
interface Sequence {
  readonly parts: readonly string[];
  readonly between: string;
}

const sequencesOf = (secret: string): Sequence[] => {
  const bytes = new TextEncoder().encode(secret);
  const characters = charactersOf(secret).map(encodedCharacter);
  return [
    { parts: characters, between: nul },
    { parts: characters.toReversed(), between: nul },
    { parts: Array.from(bytes, hexByte), between: betweenHex },
    ...base64Forms(bytes).map((parts) => ({ parts, between: '' })),
  ];
};

/** What stands beside each character of UTF-16, itself as it is or escaped. */
const nul = '(?:\\0|\\\\{1,4}(?:u0000|x00)|%(?:25)*00)?';

/** One character, or a run of backslashes, as it may stand in an address, a form, JSON or a log. */
const encodedCharacter = (character: string): string => {
  // Each backslash is told in one way only, so that a long run is not gone through in very many.
  if (character.startsWith('\\')) {
    return `(?:\\\\(?:u005c|x5c)?|%(?:25)*5c){${character.length},${character.length * 4}}`;
  }
  const json = JSON.stringify(character).slice(1, -1);
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  const bytes = Array.from(new TextEncoder().encode(character), hexByte);
  const forms = [
    bytes.map((byte) => `%(?:25)*${byte}`).join(''),
    units.map((unit) => `\\\\{1,4}u${unit.toString(16).padStart(4, '0')}`).join(''),
    bytes.map((byte) => `\\\\{1,4}x${byte}`).join(''),
    ...(character === ' ' ? ['\\+'] : []),
    // Some control characters JSON escapes by a letter.
    ...(/^\\[a-z]$/u.test(json) ? [`\\\\{1,4}${json.slice(1)}`] : []),
    `\\\\{0,4}${escapeForPattern(character)}${codeBehind(character)}`,
  ];
  return `(?:${forms.join('|')})`;
};

/**
 * Behind backslashes of a secret, those of an escape are taken for more of them, and its letter for the secret's own: then
 * the digits are still to come.
 */
const codeBehind = (character: string): string => {
  const code = hexByte(character.charCodeAt(0));
  const letter = character.toLowerCase();
  return letter === 'u' ? `(?:00${code})?` : letter === 'x' ? `(?:${code})?` : '';
};

const keysOfTheService = (): RegExp => {
  const first = Array.from('comfyui-', encodedCharacter).join('');
  const others = /(?:[\w-]|(?:%(?:25)*|\\{1,4}(?:u00|x))(?:2d|3\d|[46][1-9a-f]|[57][\da]|5f))+/;
  return new RegExp(first + others.source, 'gi');
};

/** They begin like this; any of their characters may be encoded. Bundlers leave it out where nothing is redacted. */
const keyToken = /* @__PURE__ */ keysOfTheService();
const bearer = /\b(bearer\s+)[^\s"'\\,;]+/gi;
const named =
  /(api[-_]?key\w{0,40}|token|authorization|password|secret|sig(?:nature)?|x-(?:amz|goog)-[\w-]{1,40})(\\*["']?\s*[:=]\s*\\*["']?)(?!bearer\s)[^\s"'\\&,;}]+/gi;

const withoutKeys = (text: string): string =>
  text.replace(keyToken, mark).replace(bearer, `$1${mark}`).replace(named, `$1$2${mark}`);

const withoutHalfPair = (text: string): string => text.replace(/[\ud800-\udbff]$/, '');

import { escapeRisky } from '../escape-risky.js';

/** The literal of a string, for code and for types; nothing in it ends the literal or its line. */
export const quoted = (text: string): string => escapeRisky(JSON.stringify(text));

/** Whether a name needs no quotes as a member; JavaScript allows more letters than these. */
export const isIdentifier = (name: string): boolean => /^[A-Za-z_$][\w$]*$/u.test(name);

/** A name as a member of a type: as it is, or quoted. In an interface `new` declares a constructor. */
export const memberName = (name: string): string =>
  isIdentifier(name) && name !== 'new' && name !== '__proto__' ? name : quoted(name);

/**
 * Text as a part of an identifier: what stands in none becomes `_`. The letters are those that every version of TypeScript knows;
 * empty if no letter or digit is left.
 */
export const identifierPart = (text: string): string =>
  text
    .slice(0, 80)
    .replace(
      /[^\w$\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0400-\u0481\u048a-\u052f\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fa5\uac00-\ud7a3]+/gu,
      '_',
    )
    .replace(/^_+|_+$/gu, '');

/** The most characters of a text that a comment repeats. */
const maxText = 1000;

/** Text of the service as lines of a comment: it can neither end the comment nor begin a tag. */
export const commentLines = (text: string): readonly string[] =>
  (text.length > maxText ? `${text.slice(0, maxText)}…` : text)
    .split(/[\n\r\u2028\u2029\u0085\v\f]+/u)
    .map((line) =>
      line
        .replace(/[\u0000-\u001f\u007f-\u009f\ufeff\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ')
        .replaceAll('*/', '*\u200b/')
        .replaceAll('@', '&#64;')
        .trim(),
    )
    .filter((line) => line !== '');

/** A documentation comment of these lines, with a line end; nothing without lines. */
export const comment = (lines: readonly string[], indent: string): string => {
  if (lines.length === 0) return '';
  const [only = ''] = lines;
  if (lines.length === 1) return `${indent}/** ${only} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`;
};

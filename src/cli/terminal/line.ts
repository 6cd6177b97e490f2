import { fitText, textWidth } from './format.js';
import { styleText } from 'node:util';

/** The style of a segment on a terminal with colours. */
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** One part of a line; its text may be untrusted: `paint` makes it safe, so a segment holds its text whole. */
export type Segment = string | StyledText;

/** A text with a style, or one that is cut or padded. */
export interface StyledText {
  readonly text: string;
  readonly style?: Style | undefined;
  /** Truncates the text to this many columns; default: no limit. */
  readonly columns?: number | undefined;
  /** Where the text stands in its columns, of which blanks fill the rest; default: nothing is filled. */
  readonly align?: 'left' | 'right' | undefined;
}

/** One line of output before painting. */
export type Line = readonly Segment[];

/** Options of {@link paint}. */
export interface PaintOptions {
  readonly colour: boolean;
  /** Truncates the line to this many columns; default: no limit. */
  readonly columns?: number;
  /** As for {@link SafeLineOptions}. */
  readonly maxLength?: number | undefined;
  /** Redacts secrets in the text; default: none. */
  readonly redact?: ((text: string) => string) | undefined;
}

/** Makes a line safe for a terminal: sanitised, redacted, truncated, padded and coloured, in this order. */
export const paint = (line: Line, { colour, columns = Infinity, ...safe }: PaintOptions): string => {
  let left = columns;
  return line
    .map((segment) => {
      const { text, style, columns: own = Infinity, align } = asStyled(segment);
      const room = Math.min(own, left);
      const fitted = fitText(safeLine(text, safe), room);
      const width = room === Infinity ? 0 : textWidth(fitted);
      const blanks = align === undefined || room === Infinity ? '' : ' '.repeat(Math.max(0, room - width));
      left -= width + blanks.length;
      const shown = colour && style !== undefined && fitted !== '' ? styled(style, fitted) : fitted;
      return align === 'right' ? blanks + shown : shown + blanks;
    })
    .join('')
    .trimEnd();
};

const asStyled = (segment: Segment): StyledText =>
  typeof segment === 'string' ? { text: segment } : segment;

const styled = (style: Style, text: string): string => styleText(style, text, { validateStream: false });

/** Options of {@link safeLine}. */
export interface SafeLineOptions extends SanitiseOptions {
  /** Redacts secrets in the text; default: none. */
  readonly redact?: ((text: string) => string) | undefined;
}

/**
 * Sanitises a text, redacts it and cuts it, in this order: a secret that control characters part, or that stands where the text is cut,
 * is seen whole before.
 */
export const safeLine = (
  text: string,
  { maxLength = longestLine, redact = asItIs }: SafeLineOptions,
): string => {
  const isCut = text.length > maxLength + longestSecret;
  const clean = redacted(sanitise(isCut ? text.slice(0, maxLength + longestSecret) : text, whole), redact);
  const shown = isCut ? clean.slice(0, -longestSecret) : clean;
  return isCut || shown.length > maxLength ? `${shown.slice(0, maxLength)}…` : shown;
};

/** Redacts a sanitised text. Where a secret is parted by characters that JSON has escaped, the text is shown without these. */
const redacted = (text: string, redact: (text: string) => string): string => {
  const clean = redact(text);
  if (!clean.includes('\\u')) return clean;
  const joined = sanitise(clean.replace(escapes, unescaped), whole);
  const found = redact(joined);
  return found === joined ? clean : found;
};

const whole = { maxLength: Infinity };

const escapes = /\\u([\da-f]{4})/giu;

const unescaped = (_: string, code: string): string => String.fromCharCode(Number.parseInt(code, 16));

/** What is shown of an endless text, in UTF-16 units. */
const longestLine = 65_536;

/** No secret is longer in any encoding: the end of a text that was cut may hold the beginning of one, and is dropped. */
const longestSecret = 1024;

const asItIs = (text: string): string => text;

/** Options of {@link sanitise}. */
export interface SanitiseOptions {
  /** Maximum length in UTF-16 units; default 65 536. */
  readonly maxLength?: number | undefined;
}

/**
 * Makes one safe line of any text: removes escape sequences, control characters, direction overrides and invisible
 * characters, and replaces line breaks and tabs by spaces. All server text passes it before a terminal.
 */
export const sanitise = (text: string, { maxLength = longestLine }: SanitiseOptions = {}): string => {
  const cut = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  // Lone surrogates go first: removing text between two of them could join them to any character.
  return cut
    .replace(loneSurrogate, '\u{FFFD}')
    .replace(escapeSequence, '')
    .replace(lineBreak, ' ')
    .replace(invisible, '');
};

// Strings (OSC, DCS, SOS, PM, APC) up to their terminator or the end of their line, CSI sequences, then short escapes.
const escapeSequence =
  /(?:\u001B[\]PX^_]|[\u0090\u0098\u009D-\u009F])[^\u0007\u001B\u009C\n]*(?:\u0007|\u001B\\|\u009C)?|(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]?|\u001B[ -/]*[0-~]?/gu;

const lineBreak = /\r\n|[\t\n\v\f\r\u0085\u2028\u2029]/gu;

// C0, DEL, C1, direction marks and overrides, zero-width and other format characters (the emoji joiner stays), tags.
const invisible =
  /[\u0000-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B\u200C\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu;

const loneSurrogate = /\p{Surrogate}/gu;

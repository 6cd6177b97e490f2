import { fitText, textWidth } from './text-width.js';
import { styleText } from 'node:util';

/** How a piece of a line looks where there are colours. */
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** One piece of a line: its text may come from anywhere, it is made harmless when painted. */
export type Segment = string | { readonly text: string; readonly style: Style };

/** One line for a person, before it meets a terminal. */
export type Line = readonly Segment[];

/** What {@link paint} takes. */
export interface PaintOptions {
  readonly colour: boolean;
  /** Cuts the line to so many columns; default: it stays whole. */
  readonly columns?: number;
  /** Takes secrets out of the text; default: nothing is taken out. */
  readonly hide?: ((text: string) => string) | undefined;
}

/** Makes the one string of a line that may be written to a terminal: sanitised, hidden, cut, coloured, in this order. */
export const paint = (line: Line, { colour, columns = Infinity, hide = asItIs }: PaintOptions): string => {
  let left = columns;
  return line
    .map((segment) => {
      const { text, style } = typeof segment === 'string' ? { text: segment, style: undefined } : segment;
      const fitted = fitText(hide(sanitise(text)), left);
      if (left !== Infinity) left -= textWidth(fitted);
      return colour && style !== undefined && fitted !== '' ? styled(style, fitted) : fitted;
    })
    .join('')
    .trimEnd();
};

const asItIs = (text: string): string => text;

const styled = (style: Style, text: string): string => styleText(style, text, { validateStream: false });

/** Options of {@link sanitise}. */
export interface SanitiseOptions {
  /** Longest result in UTF-16 units; default 65 536. */
  readonly maxLength?: number;
}

/**
 * Makes one harmless line of any text: escape sequences, control characters, direction overrides and invisible
 * characters are gone, line breaks and tabs are spaces. Everything that a server sent passes here before a terminal.
 */
export const sanitise = (text: string, { maxLength = 65_536 }: SanitiseOptions = {}): string => {
  const cut = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  // Halves of characters first: what stood between two of them may go, and together they could be anything.
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

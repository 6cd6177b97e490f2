import { styleText } from 'node:util';
import { sanitise } from './sanitise.js';
import { fitText, textWidth } from './text-width.js';

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

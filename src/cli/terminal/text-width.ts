/** How many terminal columns a sanitised text takes. */
export const textWidth = (text: string): number => {
  let width = 0;
  for (const grapheme of graphemes(text)) width += graphemeWidth(grapheme);
  return width;
};

/** Truncates a text to at most `columns` columns, ending in `…`; `Infinity` does not measure it. */
export const fitText = (text: string, columns: number): string => {
  if (columns === Infinity) return text;
  let width = 0;
  let at = 0;
  let fitting = 0;
  for (const grapheme of graphemes(text)) {
    width += graphemeWidth(grapheme);
    at += grapheme.length;
    if (width > columns) return columns < 1 ? '' : `${text.slice(0, fitting)}…`;
    if (width < columns) fitting = at;
  }
  return text;
};

const segments = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** No grapheme that a terminal draws is longer. */
const windowLength = 64;

/**
 * The graphemes of a text. It is segmented in windows, since V8 copies the whole segmented text for each segment; longer
 * graphemes are measured in parts.
 */
function* graphemes(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    // A lone surrogate joins with nothing before it.
    const piece = text.slice(at, at + windowLength).replace(/(?<=.)[\ud800-\udbff]$/s, '');
    const found = Array.from(segments.segment(piece), ({ segment }) => segment);
    // The last grapheme may continue after the window.
    if (found.length > 1 && at + piece.length < text.length) found.pop();
    for (const grapheme of found) {
      yield grapheme;
      at += grapheme.length;
    }
  }
}

const graphemeWidth = (grapheme: string): number => {
  if (/^[\p{Mark}\p{Format}]+$/u.test(grapheme)) return 0;
  return wide.test(grapheme) ? 2 : 1;
};

// East Asian wide and full-width blocks, and emoji.
const wide =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}|\uFE0F/u;

/** How many terminal columns a sanitised text takes. */
export const textWidth = (text: string): number =>
  Array.from(segments.segment(text)).reduce((width, { segment }) => width + graphemeWidth(segment), 0);

/** Cuts a text to at most so many columns; what was cut ends in `…`. */
export const fitText = (text: string, columns: number): string => {
  if (textWidth(text) <= columns) return text;
  let taken = '';
  let width = 0;
  for (const { segment } of segments.segment(text)) {
    width += graphemeWidth(segment);
    if (width > columns - 1) break;
    taken += segment;
  }
  return columns < 1 ? '' : `${taken}…`;
};

const segments = new Intl.Segmenter('en', { granularity: 'grapheme' });

const graphemeWidth = (grapheme: string): number => {
  if (/^[\p{Mark}\p{Format}]+$/u.test(grapheme)) return 0;
  return wide.test(grapheme) ? 2 : 1;
};

// East Asian wide and full-width blocks, and what is drawn as an emoji.
const wide =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}|\uFE0F/u;

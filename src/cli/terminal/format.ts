import type { JobState } from '../../node.js';

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

/** A bar of `width` columns, filled by `fraction` (clamped to 0 to 1). */
export const bar = (fraction: number, width: number): string => {
  const eighths = Math.round(Math.min(1, Math.max(0, fraction || 0)) * width * 8);
  const full = Math.floor(eighths / 8);
  const part = partial[eighths % 8] ?? '';
  return `${'█'.repeat(full)}${part}`.padEnd(width, '░');
};

const partial = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** Formats a duration: `0.4 s`, `12 s`, `3:07`, `1:02:09`. */
export const duration = (ms: number): string => {
  if (ms < 9_950) return `${(Math.max(0, ms) / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  const tail = `${two(minutes % 60)}:${two(seconds % 60)}`;
  return minutes < 60 ? tail.replace(/^0/u, '') : `${Math.floor(minutes / 60)}:${tail}`;
};

const two = (value: number): string => String(value).padStart(2, '0');

/** Formats a number of bytes: `412 B`, `3.4 kB`, `12 MB`. */
export const fileSize = (bytes: number): string => {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** power;
  return `${power > 0 && value < 10 ? value.toFixed(1) : value.toFixed(0)} ${units[power] ?? ''}`;
};

const units = ['B', 'kB', 'MB', 'GB', 'TB'];

/** The label of a node: its title in the workflow, otherwise its id. */
export const nodeLabel = (
  node: Pick<JobState['nodes'][string], 'nodeId' | 'displayNodeId'>,
  titles: ReadonlyMap<string, string>,
): string => titles.get(node.displayNodeId) ?? titles.get(node.nodeId) ?? `node ${node.displayNodeId}`;

/** A number of things, in the plural where it is not one. */
export const count = (many: number, what: string): string => `${many} ${what}${many === 1 ? '' : 's'}`;

import type { Diagram } from './diagrams.js';

const [step, left, radius] = [46, 30, 17];
const rows = { source: 34, box: 66, result: 140 };
const colours = ['#4a7fd0', '#d2693c', '#4d9a6a', '#8a63b5', '#b08a1e', '#b5476a'];

/** Draws a diagram as an SVG that is readable on light and dark pages. */
export const draw = ({ operator, source, result }: Diagram): string => {
  const columns = Math.max(source.split(' ').length, result.split(' ').length);
  const end = left + columns * step;
  const width = end + left;
  const palette = new Map<string, string>();
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} 174" width="${width}" height="174" role="img">`,
    `<title>${escape(operator)}</title>`,
    `<rect width="${width}" height="174" rx="10" fill="#fdfdfb"/>`,
    `<g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="13" text-anchor="middle">`,
    ...line(source, rows.source, end, palette),
    `<rect x="${left}" y="${rows.box}" width="${width - 2 * left}" height="36" rx="6" fill="#eceae2" stroke="#8d8a80"/>`,
    `<text x="${width / 2}" y="${rows.box + 23}" font-size="15" fill="#2b2a27">${escape(operator)}</text>`,
    ...line(result, rows.result, end, palette),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
};

const line = (words: string, y: number, end: number, palette: Map<string, string>): readonly string[] => {
  const columns = words.split(' ');
  return [
    `<path d="M${left} ${y}H${end}l-7 -5m7 5l-7 5" stroke="#55524a" stroke-width="1.5" fill="none"/>`,
    ...columns.flatMap((word, column) => mark(word, left + (column + 0.5) * step, y, palette)),
  ];
};

const mark = (word: string, x: number, y: number, palette: Map<string, string>): readonly string[] => {
  const label = word.replace(/[-|#]$/, '');
  const at = label === '' ? x : x + radius + 5;
  return [
    ...(label === ''
      ? []
      : [
          `<circle cx="${x}" cy="${y}" r="${radius}" fill="${colourOf(label, palette)}"/>`,
          `<text x="${x}" y="${y + 4.5}" fill="#fff"${label.length > 3 ? ' font-size="11"' : ''}>${escape(label)}</text>`,
        ]),
    ...(word.endsWith('|') ? [`<path d="M${at} ${y - 15}v30" stroke="#2b2a27" stroke-width="2.5"/>`] : []),
    ...(word.endsWith('#')
      ? [`<path d="M${at - 8} ${y - 8}l16 16m0 -16l-16 16" stroke="#b3261e" stroke-width="2.5"/>`]
      : []),
  ];
};

const colourOf = (label: string, palette: Map<string, string>): string => {
  const kind = label.replace(/[\d%]+/g, '').toLowerCase();
  const known = palette.get(kind);
  if (known !== undefined) return known;
  const colour = colours[palette.size % colours.length] ?? '#555';
  palette.set(kind, colour);
  return colour;
};

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

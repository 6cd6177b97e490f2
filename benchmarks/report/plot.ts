import type { PlotAxes, Point } from '../row.js';
import { logScale, powersAround } from './scale.js';

const width = 800;
const height = 400;
const area = { left: 80, right: 560, top: 48, bottom: 340 };
const colours = ['#1f6feb', '#bf8700', '#d1242f', '#8250df', '#1a7f37', '#6e7781'];

/** Draws points as lines, one for each series, the first on top, on logarithmic axes: an SVG file. */
export const plotOf = (axes: PlotAxes, points: readonly Point[]): string => {
  const xs = [...new Set(points.map((point) => point.x))];
  const powers = powersAround(points.map((point) => point.y));
  const x = logScale(xs, area.left + 20, area.right - 20);
  const y = logScale(powers, area.bottom, area.top);
  const series = [...new Set(points.map((point) => point.series))];
  const middle = { x: (area.left + area.right) / 2, y: (area.top + area.bottom) / 2 };

  const lineOf = (name: string, index: number): string[] => {
    const own = points.filter((point) => point.series === name).toSorted((a, b) => a.x - b.x);
    const at = own.map((point) => `${x(point.x)},${y(point.y)}`);
    const colour = colours[index % colours.length] ?? '#000000';
    return [
      // Wider below, so that lines on one another are all seen.
      `<polyline points="${at.join(' ')}" fill="none" stroke="${colour}" stroke-width="${2 + 1.5 * (index % 3)}"/>`,
      ...at.map((place) => `<circle cx="${place.replace(',', '" cy="')}" r="3.5" fill="${colour}"/>`),
      `<rect x="${area.right + 16}" y="${area.top + index * 22}" width="14" height="4" fill="${colour}"/>`,
      text(area.right + 36, area.top + index * 22 + 6, name),
    ];
  };

  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<title>${escaped(axes.title)}</title>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    text(area.left, 24, axes.title, 'font-size="15" font-weight="bold"'),
    ...powers.flatMap((value) => [
      line(area.left, y(value), area.right, y(value)),
      text(area.left - 8, y(value) + 4, compact(value), 'text-anchor="end"'),
    ]),
    ...xs.flatMap((value) => [
      line(x(value), area.bottom, x(value), area.bottom + 5),
      text(x(value), area.bottom + 20, (axes.tick ?? compact)(value), 'text-anchor="middle"'),
    ]),
    text(middle.x, height - 16, axes.x, 'text-anchor="middle"'),
    `<g transform="rotate(-90 20 ${middle.y})">${text(20, middle.y, axes.y, 'text-anchor="middle"')}</g>`,
    ...series.map(lineOf).reverse().flat(),
    '</svg>',
    '',
  ].join('\n');
};

const compact = (value: number): string =>
  value.toLocaleString('en-US', { notation: 'compact', maximumSignificantDigits: 4 });

const line = (x1: number, y1: number, x2: number, y2: number): string =>
  `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="#d0d7de"/>`;

const text = (x: number, y: number, content: string, attributes = ''): string =>
  `<text x="${x}" y="${y}" ${attributes}>${escaped(content)}</text>`;

const escaped = (content: string): string => content.replace(/&/g, '&amp;').replace(/</g, '&lt;');

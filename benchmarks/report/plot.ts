import type { PlotAxes, Point } from '../row.js';

const width = 720;
const height = 400;
const area = { left: 80, right: 560, top: 48, bottom: 340 };
const colours = ['#1f6feb', '#6e7781', '#d1242f', '#bf8700', '#1a7f37', '#8250df'];

/** Draws points as lines, one for each series, on logarithmic axes: an SVG file. */
export const plotOf = (axes: PlotAxes, points: readonly Point[]): string => {
  const x = scale(
    points.map((point) => point.x),
    area.left,
    area.right,
  );
  const y = scale(
    points.map((point) => point.y),
    area.bottom,
    area.top,
  );
  const series = [...new Set(points.map((point) => point.series))];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<title>${escaped(axes.title)}</title>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    text(area.left, 24, axes.title, 'font-size="15" font-weight="bold"'),
    ...y.ticks.map((value) => line(area.left, y.at(value), area.right, y.at(value))),
    ...y.ticks.map((value) => text(area.left - 8, y.at(value) + 4, short(value), 'text-anchor="end"')),
    ...ticksOf(points, x).map((value) => line(x.at(value), area.bottom, x.at(value), area.bottom + 5)),
    ...ticksOf(points, x).map((value) =>
      text(x.at(value), area.bottom + 20, short(value), 'text-anchor="middle"'),
    ),
    text((area.left + area.right) / 2, height - 16, axes.x, 'text-anchor="middle"'),
    `<g transform="rotate(-90 20 ${(area.top + area.bottom) / 2})">${text(20, (area.top + area.bottom) / 2, axes.y, 'text-anchor="middle"')}</g>`,
    ...series.flatMap((name, index) => {
      const colour = colours[index % colours.length] ?? '#000000';
      const own = points.filter((point) => point.series === name).toSorted((a, b) => a.x - b.x);
      const path = own.map((point) => `${round(x.at(point.x))},${round(y.at(point.y))}`);
      return [
        `<polyline points="${path.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>`,
        ...path.map((at) => `<circle cx="${at.replace(',', '" cy="')}" r="3.5" fill="${colour}"/>`),
        `<rect x="${area.right + 16}" y="${area.top + index * 22}" width="14" height="4" fill="${colour}"/>`,
        text(area.right + 36, area.top + index * 22 + 6, name),
      ];
    }),
    '</svg>',
    '',
  ].join('\n');
};

interface Scale {
  readonly at: (value: number) => number;
  /** Powers of ten, from below the least value to above the greatest. */
  readonly ticks: readonly number[];
}

const scale = (values: readonly number[], from: number, to: number): Scale => {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
  return {
    at: (value) => round(from + ((Math.log10(value) - low) / (high - low)) * (to - from)),
    ticks: Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index)),
  };
};

/** Where the points themselves stand, on the axis that was chosen by hand. */
const ticksOf = (points: readonly Point[], { at }: Scale): readonly number[] =>
  [...new Set(points.map((point) => point.x))].filter((value) => Number.isFinite(at(value)));

const short = (value: number): string =>
  value.toLocaleString('en-US', { notation: 'compact', maximumSignificantDigits: 4 });

const line = (x1: number, y1: number, x2: number, y2: number): string =>
  `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="#d0d7de"/>`;

const text = (x: number, y: number, content: string, attributes = ''): string =>
  `<text x="${x}" y="${y}" ${attributes}>${escaped(content)}</text>`;

const escaped = (content: string): string => content.replace(/&/g, '&amp;').replace(/</g, '&lt;');

const round = (value: number): number => Math.round(value * 10) / 10;

/** Something that happened in a lane of a diagram, in milliseconds of the run. */
export interface LaneMark {
  readonly atMs: number;
  readonly label: string;
  /** `bad` is something that went wrong, `good` an end that was hoped for. */
  readonly tone?: 'plain' | 'good' | 'bad' | undefined;
}

/** A diagram of several lanes over one time, which runs to the right. */
export interface Lanes {
  /** File name without extension. */
  readonly name: string;
  readonly title: string;
  /** What the numbers below the lanes are: milliseconds, or the order alone where a run takes real time. */
  readonly unit?: 'milliseconds' | 'order';
  readonly lanes: readonly { readonly name: string; readonly marks: readonly LaneMark[] }[];
}

const [left, top, row, letter] = [116, 46, 44, 6.9];
const fills = { plain: '#4a7fd0', good: '#3f7f57', bad: '#b3423a' };

/** Draws lanes as an SVG that is readable on light and dark pages: a column for each moment, as wide as what happened then. */
export const drawLanes = ({ title, lanes, unit = 'milliseconds' }: Lanes): string => {
  const columns = columnsOf(lanes.map(({ marks }) => marks));
  const end = columns.at(-1)?.end ?? left;
  const [width, height] = [Math.ceil(end + 20), top + lanes.length * row + 34];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escape(title)}</title>`,
    `<rect width="${width}" height="${height}" rx="10" fill="#fdfdfb"/>`,
    '<g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="11.5" text-anchor="middle">',
    `<text x="16" y="26" font-size="14" text-anchor="start" fill="#2b2a27">${escape(title)}</text>`,
    ...lanes.flatMap(({ name, marks }, index) => lane(name, marks, top + (index + 0.5) * row, end, columns)),
    ...columns.map(
      ({ key, middle }) =>
        `<text x="${middle}" y="${height - 14}" font-size="9.5" fill="#6a675f">${Number(key.split('#')[0])}</text>`,
    ),
    `<text x="16" y="${height - 14}" font-size="10" text-anchor="start" fill="#6a675f">${unit}</text>`,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
};

interface Column {
  readonly key: string;
  readonly middle: number;
  readonly end: number;
}

/** The key of each mark: its moment, and a number where a lane has several at one moment. */
const keysOf = (marks: readonly LaneMark[]): readonly string[] =>
  marks.map(({ atMs }, index) => {
    const before = marks.slice(0, index).filter((mark) => mark.atMs === atMs).length;
    return `${atMs}#${before}`;
  });

const columnsOf = (lanes: readonly (readonly LaneMark[])[]): readonly Column[] => {
  const widths = new Map<string, number>();
  for (const marks of lanes)
    for (const [index, key] of keysOf(marks).entries())
      widths.set(key, Math.max(widths.get(key) ?? 34, widthOf(marks[index]?.label ?? '')));
  const order = (key: string): readonly number[] => key.split('#').map(Number);
  let at = left;
  return [...widths]
    .sort(([a], [b]) => (order(a)[0] ?? 0) - (order(b)[0] ?? 0) || (order(a)[1] ?? 0) - (order(b)[1] ?? 0))
    .map(([key, width]) => {
      const start = at;
      at += width + 8;
      return { key, middle: start + width / 2, end: at };
    });
};

const widthOf = (label: string): number => Math.ceil(label.length * letter + 14);

const lane = (
  name: string,
  marks: readonly LaneMark[],
  y: number,
  end: number,
  columns: readonly Column[],
): readonly string[] => {
  const keys = keysOf(marks);
  return [
    `<text x="16" y="${y + 4}" text-anchor="start" fill="#2b2a27">${escape(name)}</text>`,
    `<path d="M${left} ${y}H${end + 6}l-7 -5m7 5l-7 5" stroke="#8d8a80" stroke-width="1.5" fill="none"/>`,
    ...marks.flatMap(({ label, tone = 'plain' }, index) => {
      const middle = columns.find(({ key }) => key === keys[index])?.middle ?? left;
      const width = widthOf(label);
      return [
        `<rect x="${middle - width / 2}" y="${y - 13}" width="${width}" height="26" rx="13" fill="${fills[tone]}"/>`,
        `<text x="${middle}" y="${y + 4}" fill="#fff">${escape(label)}</text>`,
      ];
    }),
  ];
};

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

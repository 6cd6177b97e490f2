import { fileSize, fitText, textWidth } from './format.js';
import { type Line, sanitise } from './line.js';
import type { PoolServer } from '../../pool.js';

/** A table of servers: what each does, and what it has done. */
export const serversView = (servers: readonly PoolServer[]): readonly Line[] => {
  const rows = servers.map(rowOf);
  const widths = heads.map((head, column) =>
    Math.min(widest, Math.max(head.length, ...rows.map((row) => textWidth(row[column] ?? '')))),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((text, column) => padded(text, widths[column] ?? 0, rightOf.has(column)))
      .join('  ')
      .trimEnd();
  return [
    [{ text: line(heads), style: 'bold' }],
    ...rows.map((row, at): Line => [...styledRow(line(row), servers[at])]),
  ];
};

const styledRow = (text: string, server: PoolServer | undefined): Line =>
  server?.health === 'down' || server?.health === 'refusing' ? [{ text, style: 'red' }] : [text];

const heads = ['SERVER', 'STATE', 'RUNS', 'WAIT', 'DONE', 'FAILED', 'MEMORY', 'MODELS'];
/** The columns of numbers. */
const rightOf: ReadonlySet<number> = new Set([2, 3, 4, 5]);
const widest = 32;

const rowOf = ({
  name,
  health,
  mode,
  running,
  waiting,
  done,
  failed,
  memory,
  models,
}: PoolServer): readonly string[] => [
  sanitise(name),
  mode === 'active' ? health : `${health}, ${mode}`,
  String(running),
  String(waiting),
  String(done),
  String(failed),
  memory === undefined ? '-' : `${fileSize(memory.free)} of ${fileSize(memory.total)} free`,
  models.length === 0 ? '-' : sanitise(models.join(', ')),
];

const padded = (text: string, width: number, isNumber: boolean): string => {
  const fitted = fitText(text, width);
  const blanks = ' '.repeat(Math.max(0, width - textWidth(fitted)));
  return isNumber ? blanks + fitted : fitted + blanks;
};

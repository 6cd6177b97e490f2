import { fileSize, textWidth } from './format.js';
import { type Line, sanitise, type Style } from './line.js';
import type { PoolServer } from '../../pool.js';

/** A table of servers: what each does, and what it has done. */
export const serversView = (servers: readonly PoolServer[]): readonly Line[] => {
  const rows = servers.map(rowOf);
  const widths = heads.map((head, column) =>
    Math.min(widest, Math.max(head.length, ...rows.map((row) => textWidth(sanitise(row[column] ?? ''))))),
  );
  const line = (cells: readonly string[], style?: Style): Line =>
    cells.flatMap((text, column): Line => [
      ...(column === 0 ? [] : ['  ']),
      { text, style, columns: widths[column], align: rightOf.has(column) ? 'right' : 'left' },
    ]);
  return [line(heads, 'bold'), ...rows.map((row, at) => line(row, styleOf(servers[at])))];
};

const styleOf = (server: PoolServer | undefined): Style | undefined =>
  server?.health === 'down' || server?.health === 'refusing' ? 'red' : undefined;

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
  name,
  mode === 'active' ? health : `${health}, ${mode}`,
  String(running),
  String(waiting),
  String(done),
  String(failed),
  memory === undefined ? '-' : `${fileSize(memory.free)} of ${fileSize(memory.total)} free`,
  models.length === 0 ? '-' : models.join(', '),
];

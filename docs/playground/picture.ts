import { draw } from '../marbles/draw.js';
import type { Mark, Played } from './run-program.js';

/** The marble diagram of a program that was played: a column for each moment at which something happened. */
export const pictureOf = ({ frames, result }: Played): string => {
  const marks = [...frames, ...result].sort((a, b) => a.atMs - b.atMs);
  const columns = columnsOf(marks);
  return draw({
    name: 'playground',
    operator: 'your program',
    source: wordsOf(frames, columns),
    result: wordsOf(result, columns),
  });
};

/** The column of each mark: marks of one stream at one moment stand beside each other. */
const columnsOf = (marks: readonly Mark[]): ReadonlyMap<number, number> => {
  const columns = new Map<number, number>();
  for (const { atMs } of marks) if (!columns.has(atMs)) columns.set(atMs, columns.size);
  return columns;
};

const wordsOf = (marks: readonly Mark[], columns: ReadonlyMap<number, number>): string => {
  const words = Array.from({ length: columns.size }, () => '');
  for (const { atMs, kind, label } of marks) {
    const at = columns.get(atMs) ?? 0;
    // Of several values at one moment the diagram shows the last one; the list below it has all.
    words[at] = kind === 'next' ? label : `${words[at] ?? ''}${kind === 'error' ? '#' : '|'}`;
  }
  return words.map((word) => (word === '' ? '-' : word)).join(' ');
};

import type { Outcome } from './section.js';
import { table } from './table.js';
import { verdict } from './verdict.js';

/** How many targets each benchmark has, and reaches. */
export const summaryOf = (outcomes: readonly Outcome[]): string => summaryTable(outcomes.map(summaryCells));

/** The row of one benchmark. */
export const summaryCells = ({ benchmark: { name }, rows }: Outcome): readonly string[] => {
  const count = (word: string): string => String(rows.filter((row) => verdict(row) === word).length);
  return [`[${name}](#${name})`, count('met'), count('MISSED')];
};

/** The table of such rows. */
export const summaryTable = (rows: readonly (readonly string[])[]): string =>
  `${table([['benchmark', 'met', 'MISSED'], ...rows], 1)}\n`;

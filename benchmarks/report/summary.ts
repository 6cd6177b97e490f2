import type { Outcome } from './section.js';
import { table } from './table.js';
import { verdict } from './verdict.js';

/** How many targets each benchmark has, and reaches. */
export const summaryOf = (outcomes: readonly Outcome[]): string => {
  const count = ({ rows }: Outcome, word: string): string =>
    String(rows.filter((row) => verdict(row) === word).length);
  const cells = outcomes.map((outcome) => [
    `[${outcome.benchmark.name}](#${outcome.benchmark.name})`,
    count(outcome, 'met'),
    count(outcome, 'MISSED'),
  ]);
  return `${table([['benchmark', 'met', 'MISSED'], ...cells], 1)}\n`;
};

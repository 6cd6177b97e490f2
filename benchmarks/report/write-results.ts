import { writeFileSync } from 'node:fs';
import { heading } from './heading.js';
import { plotOf } from './plot.js';
import { type Outcome, sectionOf } from './section.js';
import { summaryOf } from './summary.js';

/** Writes results.md, and beside it the plot of each benchmark that has one. */
export const writeResults = async (outcomes: readonly Outcome[]): Promise<void> => {
  const parts = [await heading(outcomes), summaryOf(outcomes), ...outcomes.map(sectionOf)];
  writeFileSync(new URL('results.md', folder), parts.join('\n'));
  for (const { benchmark, rows } of outcomes) {
    if (benchmark.plot === undefined) continue;
    const points = rows.flatMap((row) => row.points ?? []);
    writeFileSync(new URL(`${benchmark.name}.svg`, folder), plotOf(benchmark.plot, points));
  }
};

const folder = new URL('../', import.meta.url);

import { readFileSync, writeFileSync } from 'node:fs';
import { heading, whenMeasured } from './heading.js';
import { plotOf } from './plot.js';
import { type Outcome, sectionOf } from './section.js';
import { renewSections } from './renew-sections.js';
import { summaryOf } from './summary.js';

/** Writes results.md, and beside it the plot of each benchmark that has one. */
export const writeResults = async (outcomes: readonly Outcome[]): Promise<void> => {
  const parts = [await heading(outcomes), summaryOf(outcomes), ...outcomes.map(sectionOf)];
  writeFileSync(results, parts.join('\n'));
  writePlots(outcomes);
};

/** Renews the sections of single benchmarks; `order` has the names of all. */
export const renewResults = (outcomes: readonly Outcome[], order: readonly string[]): void => {
  writeFileSync(results, renewSections(readFileSync(results, 'utf8'), outcomes, order, whenMeasured()));
  writePlots(outcomes);
};

const writePlots = (outcomes: readonly Outcome[]): void => {
  for (const { benchmark, rows } of outcomes) {
    if (benchmark.plot === undefined) continue;
    const points = rows.flatMap((row) => row.points ?? []);
    writeFileSync(new URL(`${benchmark.name}.svg`, folder), plotOf(benchmark.plot, points));
  }
};

const folder = new URL('../', import.meta.url);
const results = new URL('results.md', folder);

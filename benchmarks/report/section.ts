import type { Benchmark, Row } from '../row.js';
import { figure, ratioText } from './figure.js';
import { table } from './table.js';
import { targetText, verdict } from './verdict.js';

/** A benchmark that was run. */
export interface Outcome {
  readonly benchmark: Benchmark;
  readonly rows: readonly Row[];
  readonly seconds: number;
}

interface Column {
  readonly head: string;
  readonly cell: (row: Row) => string;
  /** Left out where no row has anything in it. */
  readonly isOptional?: true;
}

const left = 3;

const columns: readonly Column[] = [
  { head: 'what', cell: ({ what }) => what },
  { head: 'unit', cell: ({ unit }) => unit },
  { head: 'beside', cell: ({ against, baseline }) => against ?? (baseline === undefined ? '' : 'baseline') },
  { head: 'promptwire', cell: ({ ours }) => figure(ours) },
  { head: 'the other', cell: ({ baseline }) => figure(baseline), isOptional: true },
  { head: 'ratio', cell: ({ ratio }) => ratioText(ratio), isOptional: true },
  { head: 'target', cell: ({ target }) => targetText(target), isOptional: true },
  { head: 'result', cell: verdict },
  {
    head: 'MB/s',
    cell: ({ megabytesPerSecond }) => figure(megabytesPerSecond),
    isOptional: true,
  },
  {
    head: 'bytes/frame',
    cell: ({ allocated }) =>
      allocated === undefined ? '' : `${figure(allocated.ours)} (${figure(allocated.baseline)})`,
    isOptional: true,
  },
];

/** The part of results.md that speaks of one benchmark. */
export const sectionOf = ({ benchmark: { name, title, plot }, rows }: Outcome): string => {
  const shown = columns.filter(({ cell, isOptional }) => !isOptional || rows.some((row) => cell(row) !== ''));
  const parts = [
    `## ${name}`,
    title,
    table([shown.map(({ head }) => head), ...rows.map((row) => shown.map(({ cell }) => cell(row)))], left),
  ];
  if (plot !== undefined) parts.push(`![${plot.title}](${name}.svg)`);
  return `${parts.join('\n\n')}\n`;
};

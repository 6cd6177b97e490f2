import type { Bench } from './bench.js';
import { withValue } from './bench.js';
import { labels } from './labels.js';
import { keyOf, type ShownField } from './shown-inputs.js';
import { maxRuns, readRange } from './ranges.js';
import { seedOf } from './seeds.js';
import { valueText } from './value-text.js';
import type { Workflow } from '../../../index.js';

/** One job to submit. */
export interface PlannedRun {
  readonly workflow: Workflow;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Jobs to submit, and the workflow that stands in the form after them. */
export interface RunPlan {
  readonly runs: readonly PlannedRun[];
  readonly after: Workflow;
}

/** An input with the values that runs take. */
interface Axis {
  readonly field: ShownField;
  readonly values: readonly unknown[];
}

/** The ranges of the form that can be read. */
export const axesOf = ({ ranges }: Pick<Bench, 'ranges'>, fields: readonly ShownField[]): readonly Axis[] =>
  fields.flatMap((field) => {
    const range = readRange(ranges[keyOf(field)] ?? '', field);
    return range._tag === 'Values' ? [{ field, values: range.values }] : [];
  });

/** How many jobs a run would be: those of the grid, as often as asked for. */
export const countRuns = (axes: readonly Axis[], times: number): number =>
  axes.reduce((product, { values }) => product * values.length, times);

/**
 * Plans the jobs of a run: each cell of the grid, as often as asked for, each with seeds as the form wants them. Pure but for what it draws.
 */
export const planRuns = (
  bench: Bench,
  fields: readonly ShownField[],
  { times, random, batch }: { readonly times: number; readonly random: () => number; readonly batch: string },
): RunPlan => {
  const axes = axesOf(bench, fields);
  const cells = axes.reduce<readonly (readonly (readonly [ShownField, unknown])[])[]>(
    (all, { field, values }) =>
      all.flatMap((cell) => values.map((value) => [...cell, [field, value] as const])),
    [[]],
  );
  const seeds = fields.filter(
    (field) => field.randomized === true && !axes.some((axis) => axis.field === field),
  );
  const runs: PlannedRun[] = [];
  let after = bench.workflow;
  for (let turn = 0; turn < times; turn += 1) {
    let now = after;
    for (const field of seeds) {
      const { nodeId, input } = field;
      const value = now[nodeId]?.inputs[input];
      const seed = seedOf(bench.seeds[keyOf(field)] ?? 'random', { ...field, value }, random);
      now = withValue(now, nodeId, input, seed.now);
      after = withValue(after, nodeId, input, seed.after);
    }
    for (const cell of cells) {
      const workflow = cell.reduce(
        (all, [{ nodeId, input }, value]) => withValue(all, nodeId, input, value),
        now,
      );
      const metadata = {
        [labels.title]: fit(bench.title),
        [labels.batch]: batch,
        ...promptOf(workflow, fields),
        ...labelOf(cell),
        ...(axes.length > 0 && {
          [labels.columns]: String(axes.at(-1)?.values.length),
          [labels.place]: String(runs.length),
        }),
      };
      if (runs.length < maxRuns) runs.push({ workflow, metadata });
    }
  }
  return { runs, after };
};

/** `seed 3 · cfg 6`, for the grid of a range. */
const labelOf = (cell: readonly (readonly [ShownField, unknown])[]): Readonly<Record<string, string>> =>
  cell.length === 0
    ? {}
    : {
        [labels.cell]: fit(
          cell.map(([{ shownLabel }, value]) => `${shownLabel} ${valueText(value)}`).join(' · '),
        ),
      };

/** The longest text that the form shows is what people remember of a job. */
const promptOf = (workflow: Workflow, fields: readonly ShownField[]): Readonly<Record<string, string>> => {
  const [longest = ''] = fields
    .map(({ nodeId, input, control }) => (control === 'text' ? workflow[nodeId]?.inputs[input] : undefined))
    .filter((value) => typeof value === 'string')
    .toSorted((one, other) => other.length - one.length);
  return longest.trim() === '' ? {} : { [labels.prompt]: fit(longest) };
};

/** A gateway takes labels of 500 characters without controls. */
const fit = (text: string): string =>
  text.replaceAll(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ').slice(0, 500);

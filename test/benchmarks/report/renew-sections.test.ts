import { expect, it } from 'vitest';
import type { Benchmark, Row } from '../../../benchmarks/row.js';
import { renewSections } from '../../../benchmarks/report/renew-sections.js';
import { sectionOf } from '../../../benchmarks/report/section.js';
import { summaryOf } from '../../../benchmarks/report/summary.js';

const outcome = (name: string, ours: number) => {
  const rows: readonly Row[] = [{ what: 'it', unit: 'ms', ours, target: { atMost: 2 } }];
  const benchmark: Benchmark = { name, title: `About ${name}.`, run: () => Promise.resolve(rows) };
  return { benchmark, rows, seconds: 1 };
};
const page = (...outcomes: readonly ReturnType<typeof outcome>[]) =>
  ['# Results\n\n- a machine\n', summaryOf(outcomes), ...outcomes.map(sectionOf)].join('\n');

it('renews the section and the row of a benchmark, and leaves the others', () => {
  const text = renewSections(page(outcome('a', 1), outcome('b', 1)), [outcome('b', 3)], ['a', 'b'], 'now');
  expect(text).toBe(`${page(outcome('a', 1), outcome('b', 3))}\nMeasured alone, at now.\n`);
});

it('puts a new one where it belongs', () => {
  const text = renewSections(
    page(outcome('a', 1), outcome('c', 1)),
    [outcome('b', 3)],
    ['a', 'b', 'c'],
    'now',
  );
  const whole = page(outcome('a', 1), outcome('b', 3), outcome('c', 1));
  expect(text.replace('\nMeasured alone, at now.\n', '')).toBe(whole);
});

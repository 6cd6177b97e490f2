import { describe, expect, it } from 'vitest';
import { labels } from '../../../src/page/studio/state/labels.js';
import { axesOf, countRuns, planRuns } from '../../../src/page/studio/state/plan-runs.js';
import type { Bench } from '../../../src/page/studio/state/bench.js';
import { readRange } from '../../../src/page/studio/state/ranges.js';
import type { ShownField } from '../../../src/page/studio/state/shown-inputs.js';

const field = (input: string, more: Partial<ShownField> = {}): ShownField => ({
  ...{ name: `Sampler.${input}`, nodeId: '5', input, class: 'KSampler', title: 'Sampler', label: input },
  ...{ order: 0, control: 'integer', type: 'INT', required: true, shownLabel: input },
  ...more,
});

const bench = (more: Partial<Bench> = {}): Bench => ({
  ...{ id: 1, title: 'A picture', seeds: {}, ranges: {}, problems: [] },
  workflow: { 5: { class_type: 'KSampler', inputs: { seed: 7, cfg: 6, steps: 20 } } },
  ...more,
});

const seed = field('seed', { randomized: true, min: 0, max: 1000 });
const cfg = field('cfg', { control: 'number', min: 0, max: 30 });
const once = { times: 1, random: () => 0.5, batch: 'b1' };

describe('readRange', () => {
  it.each([
    ['1…4', [1, 2, 3, 4]],
    ['4..1', [4, 3, 2, 1]],
    ['0…1 step 0.25', [0, 0.25, 0.5, 0.75, 1]],
    ['-2…-1, 7', [-2, -1, 7]],
    ['4, 6, 8', [4, 6, 8]],
    ['0…0.3 step 0.1', [0, 0.1, 0.2, 0.3]],
  ])('reads %s', (text, values) => {
    expect(readRange(text, { control: 'number' })).toEqual({ _tag: 'Values', values });
  });

  it.each([
    ['', 'empty', {}],
    ['1…x', 'number', {}],
    ['1…9', 'bounds', { max: 8 }],
    ['0.5', 'number', { control: 'integer' as const }],
    ['1…100000', 'many', {}],
    ['1…5 step 0', 'number', {}],
  ])('says of %j why it is none', (text, reason, more) => {
    expect(readRange(text, { control: 'number', ...more })).toEqual({ _tag: 'Wrong', reason });
  });

  it('takes texts by bars, and of a list only what it offers', () => {
    expect(readRange('a cat | a dog', { control: 'text' })).toEqual({
      _tag: 'Values',
      values: ['a cat', 'a dog'],
    });
    const list = { control: 'choice', choices: ['euler', 'ddim'] } as const;
    expect(readRange('euler | ddim', list)).toMatchObject({ _tag: 'Values' });
    expect(readRange('euler | heun', list)).toEqual({ _tag: 'Wrong', reason: 'choice' });
  });
});

describe('planRuns', () => {
  it('makes a job of each cell of a grid, with what it is called', () => {
    const ranges = { '5 seed': '1…2', '5 cfg': '4, 8' };
    const { runs, after } = planRuns(bench({ ranges }), [seed, cfg], once);
    expect(runs.map(({ workflow }) => workflow['5']?.inputs)).toEqual([
      { seed: 1, cfg: 4, steps: 20 },
      { seed: 1, cfg: 8, steps: 20 },
      { seed: 2, cfg: 4, steps: 20 },
      { seed: 2, cfg: 8, steps: 20 },
    ]);
    expect(runs[1]?.metadata).toMatchObject({
      [labels.title]: 'A picture',
      [labels.batch]: 'b1',
      [labels.cell]: 'seed 1 · cfg 8',
      [labels.columns]: '2',
      [labels.place]: '1',
    });
    expect(after).toEqual(bench().workflow);
    expect(countRuns(axesOf(bench({ ranges }), [seed, cfg]), 3)).toBe(12);
  });

  it.each([
    ['random', [500, 500], 500],
    ['fixed', [7, 7], 7],
    ['next', [7, 8], 9],
  ] as const)('draws seeds as %s asks for', (mode, seeds, last) => {
    const plan = planRuns(bench({ seeds: { '5 seed': mode } }), [seed], { ...once, times: 2 });
    expect(plan.runs.map(({ workflow }) => workflow['5']?.inputs['seed'])).toEqual(seeds);
    expect(plan.after['5']?.inputs['seed']).toBe(last);
  });

  it('labels jobs with texts that a gateway takes', () => {
    const title = `line\nbreak \u202e${'x'.repeat(600)}`;
    const [run] = planRuns(bench({ title }), [], once).runs;
    expect(run?.metadata[labels.title]).toMatch(/^line break {2}x+$/u);
    expect(run?.metadata[labels.title]).toHaveLength(500);
  });
});

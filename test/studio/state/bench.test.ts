import { describe, expect, it } from 'vitest';
import { type BenchAction, openBench, stepBench, withValue } from '../../../src/page/studio/state/bench.js';
import { Subject } from 'rxjs';

const brought = { title: 'One', workflow: { 3: { class_type: 'KSampler', inputs: { seed: 1, steps: 2 } } } };

describe('stepBench', () => {
  it('folds what a person does, and begins anew with another workflow', () => {
    const actions = new Subject<BenchAction>();
    const { state } = openBench(actions);
    actions.next({ type: 'set', nodeId: '3', input: 'seed', value: 9 });
    expect(state.value).toBeUndefined();
    actions.next({ type: 'bring', brought });
    actions.next({ type: 'set', nodeId: '3', input: 'seed', value: 9 });
    actions.next({ type: 'seed', nodeId: '3', input: 'seed', mode: 'fixed' });
    actions.next({ type: 'range', nodeId: '3', input: 'steps', text: '1…3' });
    expect(state.value).toMatchObject({
      id: 1,
      workflow: { 3: { inputs: { seed: 9, steps: 2 } } },
      seeds: { '3 seed': 'fixed' },
      ranges: { '3 steps': '1…3' },
    });
    actions.next({ type: 'bring', brought });
    expect(state.value).toMatchObject({ id: 2, seeds: {}, ranges: {} });
    actions.next({ type: 'leave' });
    expect(state.value).toBeUndefined();
  });

  it('forgets problems of a conversion once they are mended', () => {
    const problem = {
      type: 'value_not_in_list',
      severity: 'error',
      message: 'It is none.',
      fix: 'x',
    } as const;
    const bench = stepBench(undefined, { type: 'bring', brought: { ...brought, problems: [problem] } });
    const mended = stepBench(bench, { type: 'replace', workflow: brought.workflow, mended: [problem] });
    expect([bench?.problems, mended?.problems]).toEqual([[problem], []]);
  });
});

describe('withValue', () => {
  it('takes an input out where there is no value, and keeps a node of any name', () => {
    const workflow = JSON.parse(
      '{"__proto__":{"class_type":"A","inputs":{"a":1,"b":2}}}',
    ) as typeof brought.workflow;
    expect(JSON.stringify(withValue(workflow, '__proto__', 'a', undefined))).toBe(
      '{"__proto__":{"class_type":"A","inputs":{"b":2}}}',
    );
  });
});

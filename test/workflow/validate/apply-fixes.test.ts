import { applyFixes } from '../../../src/workflow/validate/apply-fixes.js';
import { definitions, picture } from './definitions.js';
import { describe, expect, it } from 'vitest';
import type { Workflow } from '../../../src/protocol/workflow.js';
import { validateWorkflow } from '../../../src/workflow/validate/validate-workflow.js';

const repaired = (workflow: unknown): Workflow =>
  applyFixes(workflow as Workflow, validateWorkflow(workflow, definitions));

describe('applyFixes', () => {
  it('returns a workflow without problems as it is', () => {
    const workflow = picture();
    expect(repaired(workflow)).toBe(workflow);
  });

  it('names inputs and classes right, and sets values', () => {
    const workflow: Workflow = {
      ...picture(),
      '6': {
        class_type: 'Text',
        inputs: { txet: 'a lighthouse', clip: ['4', 1] },
        _meta: { title: 'Prompt' },
      },
      '3': {
        class_type: 'Sampler',
        inputs: { ...picture()['3'].inputs, steps: 0, sampler_name: 'Euler', cfg: '8' },
      },
    };
    const fixed = repaired(workflow);
    expect(fixed).toEqual({
      ...picture(),
      '6': {
        class_type: 'Text',
        inputs: { text: 'a lighthouse', clip: ['4', 1] },
        _meta: { title: 'Prompt' },
      },
      '3': { ...picture()['3'], inputs: { ...picture()['3'].inputs, steps: 1 } },
    });
    expect(Object.keys(fixed['6']?.inputs ?? {})).toEqual(['text', 'clip']);
    expect(fixed['4']).toBe(workflow['4']);
  });

  it('repairs a class first, and its inputs the next time', () => {
    const misspelt = {
      ...picture(),
      '8': { class_type: 'Decoed', inputs: { samples: ['3', 0], vae: ['4', 1] } },
    };
    const once = repaired(misspelt);
    expect(once['8']?.class_type).toBe('Decode');
    expect(repaired(once)).toEqual(picture());
  });

  it('fills in a required input that has a default, unless it is there under a wrong name', () => {
    const workflow = picture();
    const { inputs }: { inputs: Partial<(typeof workflow)['3']['inputs']> } = workflow['3'];
    delete inputs.steps;
    const without = { ...picture(), '3': { class_type: 'Sampler', inputs } };
    expect(repaired(without)['3']?.inputs).toEqual(picture()['3'].inputs);
    const misspelt = { ...picture(), '3': { class_type: 'Sampler', inputs: { ...inputs, stesp: 7 } } };
    expect(repaired(misspelt)['3']?.inputs['steps']).toBe(7);
  });

  it('applies only what it is given, and leaves what it does not find', () => {
    const workflow = { ...picture(), '6': { class_type: 'Text', inputs: { txet: 'a', clip: ['4', 1] } } };
    expect(applyFixes(workflow, [])).toBe(workflow);
    const strange = [
      { nodeId: 'gone', input: 'a', type: 'unknown_input', severity: 'warning', message: '', fix: 'b' },
      { nodeId: '6', input: 'a', type: 'unknown_input', severity: 'warning', message: '', fix: 'b' },
      { nodeId: '6', input: 'txet', type: 'unknown_input', severity: 'warning', message: '', fix: 7 },
      { nodeId: '6', type: 'value_rounded', severity: 'warning', message: '', fix: 7 },
    ] as const;
    expect(applyFixes(workflow, strange)).toBe(workflow);
  });

  it('names the class of a node without inputs right, under either rules', () => {
    const workflow = { s: { class_type: 'Savee' } } as unknown as Workflow;
    for (const rules of ['0.3.64', '2026'] as const)
      expect(applyFixes(workflow, validateWorkflow(workflow, definitions, { rules }))).toEqual({
        s: { class_type: 'Save', inputs: {} },
      });
  });

  it('replaces nothing that is right, and touches nothing that is no node', () => {
    const workflow = picture();
    const about = { severity: 'error', message: '' } as const;
    const taken = { nodeId: '6', input: 'clip', type: 'unknown_input', fix: 'text', ...about };
    const given = { nodeId: '6', input: 'text', type: 'required_input_missing', fix: 'x', ...about };
    const withoutFix = { nodeId: '6', input: 'text', type: 'value_not_in_list', ...about };
    const inherited = { nodeId: '__proto__', input: 'text', type: 'value_rounded', fix: 1, ...about };
    for (const problem of [taken, given, withoutFix, inherited])
      expect(applyFixes(workflow, [problem])).toBe(workflow);
    expect(applyFixes(null as never, [inherited])).toBeNull();
  });

  it('keeps ids and inputs of any name', () => {
    const workflow = JSON.parse(
      '{"__proto__": {"class_type": "Sink", "inputs": {"int": 1.5, "__proto__": 1}}}',
    ) as Workflow;
    expect(JSON.stringify(repaired(workflow))).toBe(
      '{"__proto__":{"class_type":"Sink","inputs":{"int":1,"__proto__":1}}}',
    );
  });
});

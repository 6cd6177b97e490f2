import { applyFixes } from '../../../src/workflow/validate/apply-fixes.js';
import { definitions, picture } from './definitions.js';
import { describe, expect, it } from 'vitest';
import type { Workflow } from '../../../src/core/protocol/workflow.js';
import { validateWorkflow } from '../../../src/workflow/validate/validate-workflow.js';

const repaired = (workflow: unknown): Workflow =>
  applyFixes(workflow as Workflow, validateWorkflow(workflow, definitions));

describe('applyFixes', () => {
  it('returns a workflow without problems as it is', () => {
    const workflow = picture();
    expect(repaired(workflow)).toBe(workflow);
  });

  it('names inputs right, and sets values', () => {
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

  it('P2: makes no other class, model, choice or input of one that the server lacks', () => {
    const known = {
      VAELoader: { input: { required: { vae_name: [['clip_l.safetensors', 'b/vae.pt']] } }, output: ['VAE'] },
      Out: {
        input: {
          required: { vae: ['VAE'], kind: [['clip_l', 'euler']], clip_l: ['STRING'] },
          optional: { model: ['MODEL'] },
        },
        output: [],
        output_node: true,
      },
    };
    const node = (class_type: string, inputs: object) => ({ class_type, inputs });
    const out = (inputs: object) => node('Out', { vae: ['1', 0], kind: 'euler', clip_l: '', ...inputs });
    const vae = node('VAELoader', { vae_name: 'b/vae.pt' });
    const misnamed = { vae: ['1', 0], kind: 'euler', clip_g: 'a' };
    for (const [workflow, suggestion] of [
      [{ '1': node('SAMLoader', {}), '2': out({}) }, undefined],
      [{ '1': node('VAE Loader', {}), '2': out({}) }, 'VAELoader'],
      [{ '1': node('VAELoder', {}), '2': out({}) }, 'VAELoader'],
      [{ '1': node('VAELoader', { vae_name: 'clip_g.safetensors' }), '2': out({}) }, undefined],
      [{ '1': node('VAELoader', { vae_name: 'a/vae.pt' }), '2': out({}) }, 'b/vae.pt'],
      [{ '1': node('VAELoader', { vae_name: 'vae.safetensors' }), '2': out({}) }, 'b/vae.pt'],
      [{ '1': vae, '2': out({ kind: 'clip_g' }) }, 'clip_l'],
      [{ '1': vae, '2': node('Out', misnamed) }, 'clip_l'],
      [{ '1': vae, '2': out({ mode: 'a' }) }, 'model'],
    ] as const) {
      const problems = validateWorkflow(workflow, known);
      expect(applyFixes(workflow as unknown as Workflow, problems)).toBe(workflow);
      expect(problems.map((problem) => problem.suggestion)).toContain(suggestion);
      expect(problems.some(({ fix }) => fix !== undefined)).toBe(false);
    }
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

  it('leaves the class of a node alone, under either rules', () => {
    const workflow = { s: { class_type: 'Savee' } } as unknown as Workflow;
    for (const rules of ['0.3.64', '2026'] as const)
      expect(applyFixes(workflow, validateWorkflow(workflow, definitions, { rules }))).toBe(workflow);
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

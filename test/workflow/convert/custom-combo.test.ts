import { describe, expect, it } from 'vitest';
import { describeInputs, toApiWorkflow, validateWorkflow } from '../../../src/workflow.js';

const CustomCombo = {
  input: { required: { choice: ['COMBO', { multiselect: false, options: [] }] } },
  output: ['STRING', 'INT'],
  python_module: 'comfy_extras.nodes_logic',
};
const PreviewAny = { input: { required: { source: ['*', {}] } }, output: [], output_node: true };
const known = { CustomCombo, PreviewAny };

const file = (widgets_values: unknown, more: object = {}) => ({
  nodes: [{ id: 1, type: 'CustomCombo', mode: 0, widgets_values, ...more }],
  links: [],
  version: 0.4,
});
const inputsOf = (widgets_values: unknown, definitions?: typeof known) =>
  toApiWorkflow(file(widgets_values), definitions).workflow?.['1']?.inputs;

describe('a Custom Combo, whose options the editor adds', () => {
  it.each([known, undefined])(
    'P3: is converted with its options and the index of its choice',
    (definitions) => {
      const all = { choice: 'wide', index: 1, option1: 'tall', option2: 'wide', option3: '' };
      expect(inputsOf(['wide', 0, 'tall', 'wide', ''], definitions)).toEqual(all);
      expect(inputsOf(['wide', 'tall', 'wide', ''], definitions)).toEqual(all);
      expect(inputsOf(all, definitions)).toEqual(all);
      expect(inputsOf(['none', 0, 'tall', ''], definitions)).toMatchObject({ choice: 'none', index: -1 });
      expect(inputsOf([], definitions)).toEqual({ choice: '', index: 0, option1: '' });
      const { problems } = toApiWorkflow(file(['wide', 0, 'tall', 'wide', '']), definitions);
      expect(problems.filter(({ type }) => type !== 'guessed_names')).toEqual([]);
    },
  );

  it('P3: has the index of the value that a subgraph promotes', () => {
    const inner = {
      id: '8a4e0d4e-3a8e-4a55-8d4c-2f9c2d7f1f11',
      name: 'Inside',
      inputs: [{ id: 'c', name: 'choice', type: 'COMBO', linkIds: [5] }],
      outputs: [{ id: 'o', name: 'STRING', type: 'STRING', linkIds: [6] }],
      nodes: [
        {
          ...file(['tall', 0, 'tall', 'wide', '']).nodes[0],
          inputs: [{ name: 'choice', type: 'COMBO', widget: { name: 'choice' }, link: 5 }],
          outputs: [{ name: 'STRING', type: 'STRING', links: [6] }],
        },
      ],
      links: [
        { id: 5, origin_id: -10, origin_slot: 0, target_id: 1, target_slot: 0, type: 'COMBO' },
        { id: 6, origin_id: 1, origin_slot: 0, target_id: -20, target_slot: 0, type: 'STRING' },
      ],
    };
    const ui = {
      nodes: [
        {
          ...{ id: 2, type: inner.id, mode: 0, widgets_values: ['wide'] },
          inputs: [{ name: 'choice', type: 'COMBO', widget: { name: 'choice' }, link: null }],
          outputs: [{ name: 'STRING', type: 'STRING', links: [9] }],
        },
        { id: 3, type: 'PreviewAny', mode: 0, inputs: [{ name: 'source', type: '*', link: 9 }] },
      ],
      links: [[9, 2, 0, 3, 0, '*']],
      definitions: { subgraphs: [inner] },
      version: 0.4,
    };
    expect(toApiWorkflow(ui, known).workflow?.['2:1']?.inputs).toMatchObject({ choice: 'wide', index: 1 });
  });

  it('P5: takes any input and any choice, as the engine leaves its checks to the class', () => {
    const inputs = { choice: 'wide', index: 1, option1: 'tall', option2: 'wide' };
    const workflow = {
      '1': { class_type: 'CustomCombo', inputs },
      '2': { class_type: 'PreviewAny', inputs: { source: ['1', 1] } },
    };
    for (const rules of ['2026', undefined] as const)
      expect(validateWorkflow(workflow, known, { rules })).toEqual([]);
    const nothing = { ...workflow, '1': { class_type: 'CustomCombo', inputs: {} } };
    expect(validateWorkflow(nothing, known)).toMatchObject([{ type: 'required_input_missing' }]);
    expect(describeInputs(workflow, known).find(({ input }) => input === 'choice')).toMatchObject({
      serverOnly: true,
    });
  });

  it('P5: an input that a class of unknown origin does not declare is not told to be ignored', () => {
    const Any = { input: { required: {} }, output: [], output_node: true };
    const workflow = { '1': { class_type: 'Any', inputs: { more: 1 } } };
    const messageOf = (python_module?: string) =>
      validateWorkflow(workflow, {
        Any: { ...Any, ...(python_module !== undefined && { python_module }) },
      })[0]?.message;
    expect(messageOf()).toBe('Node 1 (Any): more is no input that Any declares.');
    expect(messageOf('nodes')).toBe('Node 1 (Any): more is no input of Any: the engine ignores it.');
  });
});

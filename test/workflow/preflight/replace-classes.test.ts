import { describe, expect, it } from 'vitest';
import { type NodeDefinitions, preflightReport } from '../../../src/workflow.js';

const image = ['IMAGE'];
const definitions: NodeDefinitions = {
  Source: { input: {}, output: ['MASK', 'IMAGE'] },
  Known: { input: {}, output: image },
  Shrink: {
    input: { required: { image, side: ['INT', {}] }, optional: { way: [['lanczos']] } },
    output: image,
  },
  Save: { input: { required: { images: image } }, output: [], output_node: true },
};
const node = (class_type: string, inputs: Record<string, unknown> = {}) => ({ class_type, inputs });
const pair = (old_id: string, new_id: string) => ({ old_id, new_id });
const reduce = {
  new_node_id: 'Shrink',
  input_mapping: [pair('images', 'image'), pair('longest', 'side'), { new_id: 'way', set_value: 'lanczos' }],
};
const workflow = (reducing: Record<string, unknown>, slot = 0) => ({
  1: node('Source'),
  2: node('Reduce', reducing),
  3: node('Save', { images: ['2', slot] }),
});
const whole = { images: ['1', 1], longest: 64 };
const report = (graph: ReturnType<typeof workflow>, replacements: unknown) =>
  preflightReport(graph, definitions, { replacements });

describe('classes that a service replaces', () => {
  it('takes the first entry of a class that the service lacks, and checks what becomes of it', () => {
    const table = { Reduce: [reduce, { new_node_id: 'Known' }], Known: [{ new_node_id: 'Shrink' }] };
    const { verdict, problems, replaced, missingClasses } = report(workflow(whole), table);
    expect({ verdict, problems, missingClasses }).toEqual({
      verdict: 'accepted',
      problems: [],
      missingClasses: [],
    });
    expect(replaced).toEqual([{ nodeId: '2', className: 'Reduce', newClass: 'Shrink', droppedInputs: [] }]);
  });

  it('drops the inputs that no mapping takes, so that one may be missing then', () => {
    const { verdict, problems, replaced } = report(workflow(whole), { Reduce: [{ new_node_id: 'Shrink' }] });
    expect(replaced).toMatchObject([{ droppedInputs: ['images', 'longest'] }]);
    expect(problems.filter(({ severity }) => severity === 'error').map(({ input }) => input)).toEqual([
      'image',
      'side',
    ]);
    expect(verdict).toBe('refused');
  });

  it('says that the service fails on an input that the mapping takes and the node lacks', () => {
    expect(report(workflow({ images: ['1', 1] }), { Reduce: [reduce] })).toMatchObject({
      verdict: 'refused',
      replaced: [{ breaks: 'always' }],
    });
  });

  it('moves the slots of links to the node, those in literals as well', () => {
    const output_mapping = [
      { old_idx: 3, new_idx: 0 },
      { old_idx: 0, new_idx: 9 },
    ];
    const table = { Reduce: [{ ...reduce, output_mapping }] };
    expect(report(workflow(whole, 3), table).verdict).toBe('accepted');
    expect(report(workflow(whole, 0), table).verdict).toBe('refused');
    expect(report(workflow(whole, 3), { Reduce: [reduce] }).verdict).toBe('refused');
  });

  it('says where the order of two replacements decides whether the service fails', () => {
    const table = { Reduce: [{ ...reduce, output_mapping: [{ old_idx: 0, new_idx: 0 }] }] };
    const chain = {
      ...workflow(whole),
      4: node('Reduce', { images: ['2', 0], longest: 32 }),
      5: node('Save', { images: ['4', 0] }),
    };
    const { replaced, verdict } = report(chain, table);
    expect(replaced).toMatchObject([{ nodeId: '2' }, { nodeId: '4', breaks: 'perhaps' }]);
    expect(replaced[0]).not.toHaveProperty('breaks');
    expect(verdict).toBe('accepted');
  });

  it.each([
    ['the new class is unknown as well', { Reduce: [{ ...reduce, new_node_id: 'Nothing' }] }],
    ['the list is empty', { Reduce: [] }],
    ['the entry is none', { Reduce: [null] }],
    ['the table is none', 'text'],
  ])('replaces nothing where %s', (_, table) => {
    const { replaced, missingClasses } = report(workflow(whole), table);
    expect(replaced).toEqual([]);
    expect(missingClasses).toEqual([{ className: 'Reduce', nodeIds: ['2'] }]);
  });
});

import { expect, it } from 'vitest';
import { paidNodes, preflightReport } from '../../../src/workflow.js';
import { replaceClasses } from '../../../src/workflow/preflight/replace-classes.js';
import { runningNodes } from '../../../src/workflow/preflight/running-nodes.js';

const save = { input: {}, output: [], output_node: true };
const node = (class_type: string, inputs: Record<string, unknown> = {}) => ({ class_type, inputs });

it('the nodes that run are the outputs, and what they link to', () => {
  const workflow = {
    ...{ a: node('Any', { x: ['b', 0], y: ['none', 0] }), b: node('Any'), c: node('Any'), d: node('Any') },
    out: node('Save', { x: ['a', 0], text: 'c0', three: ['d', 0, 0], nothing: null }),
    other: node('Save', { x: ['d', 0] }),
  };
  const definitions = { Save: save, Any: { input: {}, output: ['X'] } };
  expect([...runningNodes(workflow, definitions, ['out', 'a'])]).toEqual(['out', 'a', 'b']);
  expect([...runningNodes(workflow, definitions)]).toEqual(['out', 'other', 'a', 'd', 'b']);
  // Each class may be that of an output.
  expect([...runningNodes(workflow, {})]).toEqual(Object.keys(workflow));
});

it('what is no class at all is no missing class', () => {
  expect(
    preflightReport({ 1: { class_type: 3, inputs: {} } } as never, { Save: save }).missingClasses,
  ).toEqual([]);
});

it('the price of a paid node reads the values of its inputs', () => {
  const partner = {
    ...save,
    api_node: true,
    price_badge: {
      expr: '1',
      depends_on: { widgets: ['size', { name: 'tags' }], inputs: [5], input_groups: ['from'] },
    },
  };
  const inputs = { size: { width: 1 }, tags: { __value__: ['a'] }, from: ['2', 0] };
  expect(paidNodes({ 1: node('Partner', inputs) }, { Partner: partner })).toEqual([
    {
      ...{ nodeId: '1', className: 'Partner' },
      price: {
        engine: 'jsonata',
        expression: '1',
        values: { size: { width: 1 }, tags: ['a'], from: undefined },
      },
    },
  ]);
  expect(paidNodes({ 1: node('Partner') }, { Partner: { ...partner, price_badge: { expr: 5 } } })).toEqual([
    { nodeId: '1', className: 'Partner' },
  ]);
  expect(paidNodes({ 1: node('Partner') }, { Partner: { ...partner, api_node: 1 } })).toEqual([]);
});

it('an input that a replacement sets is dropped, and not missed', () => {
  const mapping = [
    { new_id: 'way', old_id: 'mode', set_value: 'x' },
    { old_id: 'lost' },
    { new_id: 'image', old_id: 'images' },
  ];
  const replace = (inputs: Record<string, unknown>) =>
    replaceClasses(
      { 1: node('Old', inputs) },
      { New: save },
      { Old: [{ new_node_id: 'New', input_mapping: mapping }] },
    );
  const whole = replace({ mode: 'y', lost: 1, images: ['2', 0] });
  expect(whole.workflow['1']).toEqual(node('New', { way: 'x', image: ['2', 0] }));
  expect(whole.replaced).toEqual([
    { nodeId: '1', className: 'Old', newClass: 'New', droppedInputs: ['mode'] },
  ]);
  expect(replace({ lost: 1, images: 2 }).replaced).toMatchObject([{ droppedInputs: [] }]);
  expect(replace({ lost: 1, images: 2 }).replaced[0]).not.toHaveProperty('breaks');
  expect(replace({ mode: 1 }).replaced).toMatchObject([{ breaks: 'always' }]);
});

it('what has no class is not replaced, nor what the service knows', () => {
  const table = { 5: [{ new_node_id: 'New' }], New: [{ new_node_id: 'Other' }] };
  for (const className of [5, 'New', undefined]) {
    const workflow = { 1: { class_type: className as string, inputs: {} } };
    const { workflow: after, replaced } = replaceClasses(workflow, { New: save, Other: save }, table);
    expect([after === workflow, replaced]).toEqual([true, []]);
  }
});

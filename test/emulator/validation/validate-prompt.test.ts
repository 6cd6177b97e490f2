import { describe, expect, it } from 'vitest';
import { define } from '../../../src/emulator/engine/define.js';
import type { InputSpec, NodeClass } from '../../../src/emulator/engine/node-class.js';
import type { GraphNode } from '../../../src/emulator/scheduler/graph.js';
import { createFileStore } from '../../../src/emulator/store/file-store.js';
import { validatePrompt, type Verdict } from '../../../src/emulator/validation/validate-prompt.js';

const nodeClass = (
  name: string,
  required: Record<string, InputSpec>,
  { outputNode = false, ...more }: Partial<NodeClass> & { readonly outputNode?: boolean } = {},
): [string, NodeClass] => {
  const outputs = [{ type: 'IMAGE' }, { type: 'INT' }];
  const definition = define({ name, category: 'test', required, outputs, outputNode });
  const optional = { note: ['STRING', {}] as InputSpec };
  const withOptional = { ...definition, input: { ...definition.input, optional } };
  return [name, { definition: () => withOptional, execute: () => Promise.resolve({ values: [] }), ...more }];
};

const longList = Array.from({ length: 21 }, (_, index) => `option ${index}`);

const nodeClasses = new Map([
  nodeClass('Source', { count: ['INT', { min: 1, max: 10 }] }),
  nodeClass('Relay', { image: ['IMAGE'] }),
  nodeClass('Sink', { image: ['IMAGE', { tooltip: 'any' }] }, { outputNode: true }),
  nodeClass('Wild', { any: ['*', {}], either: ['FLOAT,INT', {}] }, { outputNode: true }),
  nodeClass(
    'Settings',
    {
      int: ['INT', { min: 0, max: 10 }],
      float: ['FLOAT', {}],
      text: ['STRING', {}],
      flag: ['BOOLEAN', {}],
      old: [['a', 1, true], {}],
      long: [longList, {}],
      fresh: ['COMBO', { options: ['x', 'y'] }],
      many: ['COMBO', { options: ['x', 'y'], multiselect: true }],
    },
    { outputNode: true },
  ),
  nodeClass('Grow', { images: ['COMFY_AUTOGROW_V3', { template: {} }] }, { outputNode: true }),
  nodeClass(
    'Picky',
    { file: [[], { image_upload: true }], word: ['STRING', {}] },
    {
      outputNode: true,
      validate: ({ file }, files) => (files.exists(String(file)) ? undefined : 'no such file'),
    },
  ),
]);

const settings = {
  int: 1,
  float: 1.5,
  text: 'a',
  flag: true,
  old: 'a',
  long: 'option 3',
  fresh: 'x',
  many: { __value__: ['x', 'y'] },
};

type Nodes = Record<string, readonly [classType: string, inputs?: Readonly<Record<string, unknown>>]>;

const validate = (nodes: Nodes, wanted?: readonly string[], namesCycles = false): Verdict => {
  const graph = new Map<string, GraphNode>(
    Object.entries(nodes).map(([id, [classType, inputs]]) => [id, { classType, inputs, title: undefined }]),
  );
  const files = createFileStore({ fileNames: 'counter' });
  files.upload({
    bytes: Uint8Array.of(1),
    filename: 'cat.png',
    type: 'input',
    subfolder: '',
    overwrite: false,
  });
  return validatePrompt(graph, wanted, nodeClasses, files, { namesCycles });
};

const problemOf = (nodes: Nodes, nodeId: string): unknown => validate(nodes).nodeErrors[nodeId]?.errors[0];

const withSetting = (name: string, value: unknown): Nodes => ({
  '1': ['Settings', { ...settings, [name]: value }],
});

describe('validatePrompt', () => {
  it('finds nothing in a good workflow', () => {
    const verdict = validate({
      '1': ['Source', { count: 1 }],
      '2': ['Sink', { image: ['1', 0] }],
      '3': ['Settings', settings],
    });
    expect(verdict).toMatchObject({ good: ['2', '3'], nodeErrors: {}, error: undefined });
  });

  it('wants an output node, among the wanted ones', () => {
    const nodes: Nodes = { '1': ['Source', { count: 1 }], '2': ['Sink', { image: ['1', 0] }] };
    expect(validate({ '1': ['Source', { count: 1 }] }).error?.type).toBe('prompt_no_outputs');
    expect(validate(nodes, ['1']).error?.type).toBe('prompt_no_outputs');
    expect(validate(nodes, ['2']).good).toEqual(['2']);
  });

  it('reports a missing input', () => {
    const verdict = validate({ '1': ['Sink', {}] });
    expect(verdict.nodeErrors).toEqual({
      '1': {
        class_type: 'Sink',
        dependent_outputs: ['1'],
        errors: [
          {
            type: 'required_input_missing',
            message: expect.any(String) as string,
            details: 'image',
            extra_info: { input_name: 'image' },
          },
        ],
      },
    });
    expect(verdict.error).toMatchObject({
      type: 'prompt_outputs_failed_validation',
      details: 'Required input is missing: image',
      extra_info: {},
    });
  });

  it.each([[['1']], [['1', 0, 0]], [[]]])('reports the link %j as bad', (link) => {
    expect(problemOf({ '1': ['Source', { count: 1 }], '2': ['Sink', { image: link }] }, '2')).toMatchObject({
      type: 'bad_linked_input',
      extra_info: { input_name: 'image', input_config: ['IMAGE', { tooltip: 'any' }], received_value: link },
    });
  });

  it('reports a type that does not fit', () => {
    expect(
      problemOf({ '1': ['Source', { count: 1 }], '2': ['Sink', { image: ['1', 1] }] }, '2'),
    ).toMatchObject({
      type: 'return_type_mismatch',
      extra_info: { input_name: 'image', received_type: 'INT', linked_node: ['1', 1] },
    });
  });

  it('takes wildcards and unions', () => {
    const nodes: Nodes = {
      '1': ['Source', { count: 1 }],
      '2': ['Wild', { any: ['1', 0], either: ['1', 1] }],
    };
    expect(validate(nodes).good).toEqual(['2']);
    expect(problemOf({ ...nodes, '2': ['Wild', { any: 1, either: ['1', 0] }] }, '2')).toMatchObject({
      type: 'return_type_mismatch',
    });
  });

  it.each([
    ['int', '20', 'value_bigger_than_max', { input_name: 'int', received_value: 20 }],
    ['int', -1, 'value_smaller_than_min', { input_name: 'int', received_value: -1 }],
    [
      'int',
      'abc',
      'invalid_input_type',
      { input_name: 'int', exception_message: "invalid literal for int() with base 10: 'abc'" },
    ],
    ['int', null, 'invalid_input_type', { received_value: null }],
    ['float', 'x', 'invalid_input_type', { input_config: ['FLOAT', {}] }],
    ['old', 'b', 'value_not_in_list', { input_config: [['a', 1, true], {}], received_value: 'b' }],
    ['old', '1', 'value_not_in_list', {}],
    ['long', 'nothing', 'value_not_in_list', { input_config: null }],
    ['fresh', 'z', 'value_not_in_list', {}],
    ['many', { __value__: ['x', 'z'] }, 'value_not_in_list', {}],
  ])('reports %s = %j as %s', (name, value, type, extra) => {
    const problem = problemOf(withSetting(name, value), '1') as { details: string };
    expect(problem).toMatchObject({ type, extra_info: extra });
    expect(problem.details.startsWith(name)).toBe(true);
  });

  it.each([
    ['int', '7', 7],
    ['int', 7.9, 7],
    ['int', 0, 0],
    ['int', 10, 10],
    ['int', true, 1],
    ['float', '1.25', 1.25],
    ['text', 5, '5'],
    ['flag', 'false', true],
    ['flag', '', false],
    ['flag', 0, false],
    ['old', 1, 1],
    ['old', true, true],
  ])('runs %s = %j as %j', (name, value, coerced) => {
    const verdict = validate(withSetting(name, value));
    expect(verdict.nodeErrors).toEqual({});
    expect(verdict.graph.get('1')?.inputs?.[name]).toBe(coerced);
  });

  it('leaves out inputs that no definition knows, and takes optional ones', () => {
    const { graph } = validate({ '1': ['Settings', { ...settings, note: 5, extra: ['99', 0] }] });
    expect(graph.get('1')?.inputs).toEqual({ ...settings, note: '5' });
  });

  it('takes the parts of inputs that grow', () => {
    const nodes: Nodes = {
      '1': ['Source', { count: 1 }],
      '2': ['Grow', { 'images.image0': ['1', 0], 'images.image1': ['1', 0] }],
    };
    const { good, graph } = validate(nodes);
    expect(good).toEqual(['2']);
    expect(Object.keys(graph.get('2')?.inputs ?? {})).toEqual(['images.image0', 'images.image1']);
  });

  it('asks the node itself, and leaves its files to it', () => {
    expect(validate({ '1': ['Picky', { file: 'cat.png', word: 'a' }] }).good).toEqual(['1']);
    expect(problemOf({ '1': ['Picky', { file: 'dog.png', word: 'a' }] }, '1')).toMatchObject({
      type: 'custom_validation_failed',
      details: 'file - no such file',
      extra_info: { input_name: 'file' },
    });
  });

  it.each([
    ['an unknown node', ['77', 0], 'KeyError'],
    ['a number as id', [1, 0], 'KeyError'],
    ['an unknown slot', ['1', 9], 'IndexError'],
  ])('reports a link to %s at the output node itself', (_case, link, exception) => {
    expect(problemOf({ '1': ['Source', { count: 1 }], '2': ['Sink', { image: link }] }, '2')).toMatchObject({
      type: 'exception_during_validation',
      extra_info: { exception_type: exception, traceback: { length: 2 } },
    });
  });

  it('reports it at the node that has the link, in the terms of its consumer', () => {
    const nodes: Nodes = { '1': ['Relay', { image: ['77', 0] }], '2': ['Sink', { image: ['1', 0] }] };
    const { nodeErrors } = validate(nodes);
    expect(Object.keys(nodeErrors)).toEqual(['1']);
    expect(nodeErrors['1']?.dependent_outputs).toEqual(['2']);
    expect(nodeErrors['1']?.errors[0]).toMatchObject({
      type: 'exception_during_inner_validation',
      extra_info: { input_name: 'image', exception_type: 'KeyError', linked_node: ['1', 0] },
    });
  });

  it('reports a node without inputs at that node', () => {
    expect(problemOf({ '1': ['Sink'] }, '1')).toMatchObject({ type: 'exception_during_validation' });
    const nodes: Nodes = { '1': ['Source'], '2': ['Sink', { image: ['1', 0] }] };
    expect(problemOf(nodes, '2')).toBeUndefined();
    expect(problemOf(nodes, '1')).toMatchObject({
      type: 'exception_during_inner_validation',
      extra_info: { input_name: 'image', exception_message: "'inputs'", linked_node: ['1', 0] },
    });
  });

  const circle: Nodes = {
    '1': ['Relay', { image: ['2', 0] }],
    '2': ['Relay', { image: ['1', 0] }],
    '3': ['Sink', { image: ['1', 0] }],
  };

  it('gives no reason for a circle, and drops its output without a word beside a good one', () => {
    expect(validate(circle)).toMatchObject({
      good: [],
      nodeErrors: {},
      error: { type: 'prompt_outputs_failed_validation', details: '' },
    });
    const beside = validate({ ...circle, '4': ['Source', { count: 1 }], '5': ['Sink', { image: ['4', 0] }] });
    expect(beside).toMatchObject({ good: ['5'], nodeErrors: {}, error: undefined });
  });

  it('keeps the own problems of the nodes in a circle', () => {
    const { nodeErrors } = validate({
      ...circle,
      '2': ['Settings', { ...settings, int: 99, text: ['1', 0] }],
    });
    expect(nodeErrors['2']?.errors.map(({ type }) => type)).toContain('value_bigger_than_max');
  });

  it('reports a circle at each of its nodes where the engine names circles', () => {
    const { nodeErrors, good } = validate(circle, undefined, true);
    expect(good).toEqual([]);
    expect(
      Object.entries(nodeErrors).map(([id, { errors }]) => [id, errors[0]?.type, errors[0]?.details]),
    ).toEqual([
      ['1', 'dependency_cycle', '1 (Relay) -> 2 (Relay) -> 1 (Relay)'],
      ['2', 'dependency_cycle', '2 (Relay) -> 1 (Relay) -> 2 (Relay)'],
    ]);
  });

  it('lists only nodes with problems of their own, with all outputs that need them', () => {
    const { nodeErrors, good, error } = validate({
      '1': ['Source', { count: 99 }],
      '2': ['Relay', { image: ['1', 0] }],
      '3': ['Sink', { image: ['2', 0] }],
      '4': ['Sink', { image: ['1', 0] }],
      '5': ['Settings', settings],
      '6': ['Source', { count: 99 }],
    });
    expect(good).toEqual(['5']);
    expect(error).toBeUndefined();
    expect(Object.keys(nodeErrors)).toEqual(['1']);
    expect(nodeErrors['1']?.dependent_outputs).toEqual(['3', '4']);
  });
});

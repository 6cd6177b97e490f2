import { describe, expect, it } from 'vitest';
import { convert } from '../helpers/converted.js';
import { toApiWorkflow } from '../../../src/workflow.js';
import { uiFile } from '../helpers/ui-file.js';

const file = uiFile([
  { id: 1, type: 'Checkpoint', values: ['a'] },
  { id: 6, type: 'Sampler', values: [7, 'fixed', 20, 8, 'heun'], links: { model: [1, 0] } },
  { id: 7, type: 'LoadImage', values: ['b.png', 'red', 'image'] },
  { id: 8, type: 'Audio', values: ['t.flac', null, ''] },
]);
const unknown = (node: object) => ({ nodes: [{ id: 1, type: 'Unknown', ...node }], links: [] });
const widget = (name: string, type: string) => ({ name, type, link: null, widget: { name } });

describe('a conversion without definitions', () => {
  it('names values by the sockets of newer files, and says so', () => {
    const { workflow, problems } = toApiWorkflow(file);
    expect(Object.values(workflow ?? {}).map(({ inputs }) => inputs)).toEqual([
      { ckpt: 'a' },
      { seed: 7, steps: 20, cfg: 8, sampler_name: 'heun', model: ['1', 0] },
      { image: 'b.png', channel: 'red' },
      { audio: 't.flac' },
    ]);
    expect(problems.map(({ nodeId, type, severity }) => [nodeId, type, severity])).toEqual(
      ['1', '6', '7', '8'].map((id) => [id, 'guessed_names', 'warning']),
    );
  });

  it.each([
    ['an object of values', { widgets_values: { a: 1, b: ['x', 0] } }, { a: 1, b: { __value__: ['x', 0] } }],
    [
      'widgets_values_named',
      { widgets_values: [1, 'fixed'], widgets_values_named: { a: 1, control_after_generate: 'fixed' } },
      { a: 1 },
    ],
    [
      'the filter of a combo',
      { widgets_values: ['x', 'randomize', '', 5], inputs: [widget('pick', 'COMBO'), widget('n', 'INT')] },
      { pick: 'x', n: 5 },
    ],
    [
      'a value that looks like a control word',
      { widgets_values: [true, 'fixed'], inputs: [widget('on', 'BOOLEAN'), widget('s', 'STRING')] },
      { on: true, s: 'fixed' },
    ],
    ['no values at all', { inputs: [widget('n', 'INT')] }, {}],
  ])('reads %s', (_, node, inputs) => {
    expect(toApiWorkflow(unknown(node)).workflow?.['1']?.inputs).toEqual(inputs);
  });

  it('refuses values that nothing names', () => {
    expect(toApiWorkflow(unknown({ widgets_values: ['x', 1] }))).toMatchObject({
      nodeMap: { '1': { id: '1', path: [] } },
      problems: [{ nodeId: '1', type: 'unnamed_values', severity: 'error' }],
    });
    expect(toApiWorkflow(unknown({ widgets_values: ['x', 1] }))).not.toHaveProperty('workflow');
  });
});

describe('a class that the definitions lack', () => {
  it('is sent as the editor sends it, with its links, and named in a warning', () => {
    const { workflow, problems } = convert({
      nodes: [
        { id: 1, type: 'Checkpoint', widgets_values: ['a'] },
        {
          id: 2,
          type: 'Unknown',
          widgets_values: ['x', 1],
          inputs: [{ name: 'model', type: 'MODEL', link: 1 }],
        },
      ],
      links: [[1, 1, 0, 2, 0, 'MODEL']],
    });
    expect(workflow?.['2']).toMatchObject({
      class_type: 'Unknown',
      inputs: { UNKNOWN: 'x', UNKNOWN_1: 1, model: ['1', 0] },
    });
    expect(problems).toMatchObject([{ nodeId: '2', type: 'missing_node_type', severity: 'warning' }]);
  });

  it('gets its current name where it had another one', () => {
    const types = ['T2IAdapterLoader', 'ConditioningAverage ', 'SDV_img2vid_Conditioning'];
    const { workflow } = convert({ nodes: types.map((type, id) => ({ id, type })), links: [] });
    expect(Object.values(workflow ?? {}).map(({ class_type }) => class_type)).toEqual([
      'ControlNetLoader',
      'ConditioningAverage',
      'SVD_img2vid_Conditioning',
    ]);
  });
});

describe('a file that is none', () => {
  it.each([null, 7, [], {}, { nodes: {} }, { '1': { class_type: 'A', inputs: {} } }])(
    'is refused: %j',
    (value) => {
      expect(convert(value as never)).toEqual({
        nodeMap: {},
        problems: [expect.objectContaining({ type: 'not_a_ui_workflow', severity: 'error' })],
      });
    },
  );

  it.each([
    [[null], 'invalid_node'],
    [[{ id: 1 }], 'invalid_node'],
    [[{ type: 'Int' }], 'invalid_node'],
    [
      [
        { id: 1, type: 'Int' },
        { id: '1', type: 'Int' },
      ],
      'duplicate_node_id',
    ],
  ])('is refused for the nodes %j', (nodes, type) => {
    expect(convert({ nodes })).not.toHaveProperty('workflow');
    expect(convert({ nodes }).problems).toMatchObject([{ type, severity: 'error' }]);
  });

  it('may have nodes and inputs of any name', () => {
    const { workflow, nodeMap } = convert(
      JSON.parse(
        '{"nodes": [{"id": "__proto__", "type": "Int", "inputs": [{"name": "__proto__", "link": 1}]}, {"id": "constructor", "type": "Int"}], "links": [[1, "constructor", 0, "__proto__", 0, "INT"]]}',
      ) as never,
    );
    expect(Object.keys(workflow ?? {})).toEqual(['__proto__', 'constructor']);
    expect(Object.keys(nodeMap)).toEqual(['__proto__', 'constructor']);
    expect(Object.entries(Object.entries(workflow ?? {})[0]?.[1].inputs ?? {})).toEqual([
      ['value', 0],
      ['__proto__', ['constructor', 0]],
    ]);
  });
});

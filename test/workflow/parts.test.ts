import { comboIndex, isComboOption } from '../../src/workflow/combo-index.js';
import { describe, expect, it } from 'vitest';
import { findGraphs } from '../../src/workflow/find-graphs.js';
import { idOf, listAt, listOf, objectOf, ownOf, scalarText, textOf } from '../../src/workflow/values.js';
import { inputsBroughtBy, keysOf } from '../../src/workflow/dynamic-combo.js';
import { isApi, isApiNode, isUi } from '../../src/workflow/tell-format.js';
import { isUploadedFile } from '../../src/workflow/file-input.js';
import { kept } from '../../src/workflow/kept.js';
import { readDefinition } from '../../src/workflow/definitions.js';
import { readGraph } from '../../src/workflow/read-graph.js';
import { roundedInUi } from '../../src/workflow/rounded-integers.js';
import { typesMeet } from '../../src/workflow/types-meet.js';

it('the options of a Custom Combo are numbered, and its choice stands among them', () => {
  const names = ['option1', 'option12', 'option', 'my option1', 'xoption1', 'option1x', 'Option1'];
  expect(names.map(isComboOption)).toEqual([true, true, false, false, false, false, false]);
  const inputs = [
    ['choice', 'b'],
    ['option1', 'a'],
    ['option2', 'b'],
  ] as const;
  expect([comboIndex(inputs, 'b'), comboIndex(inputs, 'c'), comboIndex([], 'a')]).toEqual([1, -1, -1]);
});

it('a dynamic combo brings the inputs of the option that is chosen, under its own name', () => {
  const options = [
    { key: 'a' },
    { key: 'b', inputs: { required: { x: ['INT'] }, optional: { y: ['INT'] } } },
    null,
  ];
  const input = {
    name: 'mode',
    group: 'required',
    type: 'X',
    options: { options },
    isListForm: false,
  } as const;
  expect(keysOf(input)).toEqual(['a', 'b', undefined]);
  expect(inputsBroughtBy(input, 'a')).toEqual([]);
  expect(inputsBroughtBy(input, 'b')?.map(({ name, group }) => [name, group])).toEqual([
    ['mode.x', 'required'],
    ['mode.y', 'optional'],
  ]);
  expect(inputsBroughtBy(input, 'c')).toBeUndefined();
});

it('a value is made once for a key, and again where it is undefined', () => {
  const made: string[] = [];
  const map = new Map<string, number | undefined>();
  const make = (key: string) => (made.push(key), key === 'none' ? undefined : 7);
  expect(['a', 'a', 'none', 'none'].map((key) => kept(map, key, make))).toEqual([7, 7, undefined, undefined]);
  expect(made).toEqual(['a', 'none', 'none']);
});

it('values are told apart', () => {
  expect([objectOf({ a: 1 }), objectOf([1]), objectOf(null)]).toEqual([{ a: 1 }, {}, {}]);

  expect([listOf([1]), listOf([, 1]).map(String), listOf('ab')]).toEqual([[1], ['undefined', '1'], []]);
  expect([1, 'a', 2n, true, null].map(idOf)).toEqual(['1', 'a', '2', undefined, undefined]);
  expect([1, 'a', false, null].map(scalarText)).toEqual(['1', 'a', 'false', undefined]);
  expect(['a', 1].map(textOf)).toEqual(['a', undefined]);
  expect([ownOf({ a: 1 }, 'a'), ownOf({}, 'toString')]).toEqual([1, undefined]);
  const lists = new Map<string, number[]>();
  listAt(lists, 'a').push(1);
  listAt(lists, 'a').push(2);
  expect(lists.get('a')).toEqual([1, 2]);
});

it('types meet where their lists share one', () => {
  expect([typesMeet('INT', 'INT'), typesMeet('INT, FLOAT', 'FLOAT,X'), typesMeet('INT', ' INT ')]).toEqual([
    true,
    true,
    true,
  ]);
  expect([typesMeet('INT', 'FLOAT'), typesMeet('', 'INT')]).toEqual([false, false]);
});

it('integers that may have been rounded are told by the node that has them', () => {
  const node = (id: unknown, values: unknown) => ({ id, widgets_values: values });
  const ui = {
    nodes: [
      node(1, [2 ** 60, 5, 'x']),
      node('a', { seed: 2 ** 61 }),
      node(null, [2 ** 62]),
      node(2, null),
      null,
    ],
    definitions: { subgraphs: [{ nodes: [node(7, [2 ** 60])] }, null, { nodes: 5 }] },
  };
  expect(roundedInUi(ui).map(({ nodeId }) => nodeId)).toEqual(['1', 'a', undefined, '7']);
  expect(roundedInUi({ nodes: 'x', definitions: { subgraphs: 5 } } as never)).toEqual([]);
});

it('the answer of an upload is that and nothing else', () => {
  const file = { name: 'a.png', subfolder: '', type: 'input' };
  for (const value of [
    file,
    { ...file, type: 'temp' },
    { ...file, type: 'output' },
    { ...file, asset: { id: 1 } },
  ])
    expect([value, isUploadedFile(value)]).toEqual([value, true]);
  const others = [
    ...[
      null,
      'a',
      { ...file, name: 1 },
      { ...file, subfolder: undefined },
      { ...file, type: 'other' },
      { ...file, more: 1 },
    ],
    ...[
      { ...file, asset: null },
      { ...file, asset: {} },
      { ...file, asset: 'id' },
    ],
  ];
  for (const value of others) expect([value, isUploadedFile(value)]).toEqual([value, false]);
});

describe('a class of a service', () => {
  const read = (definition: object, name = 'A') => readDefinition({ [name]: definition }, name);

  it('has its inputs in their order, the required ones first, each name once', () => {
    const input = {
      required: { b: ['INT'], 1: ['INT'], x: ['INT'] },
      optional: { x: ['FLOAT'], y: ['X', {}] },
      hidden: { h: 'H' },
    };
    const order = { required: ['x', 'none', 'b', 5], optional: ['y'] };
    const names = (one: object) =>
      read(one)?.inputs.map(({ name, group, type }) => `${name} ${group} ${type}`);
    expect(names({ input, input_order: order })).toEqual([
      'x required INT',
      'b required INT',
      'y optional X',
      '1 required INT',
    ]);
    expect(names({ input })).toEqual(['1 required INT', 'b required INT', 'x required INT', 'y optional X']);
    expect(read({ input })?.hidden).toEqual(['h']);
    expect([read({ input })?.inputOf('x')?.type, read({ input })?.inputOf('z')]).toEqual(['INT', undefined]);
  });

  it('leaves out what can’t be read, and takes a list for a choice', () => {
    const required = {
      a: 5,
      b: [],
      c: [['x']],
      d: ['COMBO', { options: ['y'] }],
      e: [5],
      f: ['COMBO'],
      g: ['INT', 5],
    };
    expect(read({ input: { required } })?.inputs).toMatchObject([
      { name: 'c', type: 'COMBO', choices: ['x'], isListForm: true },
      { name: 'd', type: 'COMBO', choices: ['y'], isListForm: false },
      { name: 'e', type: '*' },
      { name: 'f', type: 'COMBO' },
      { name: 'g', type: 'INT', options: {} },
    ]);
    expect(read({ input: { required } })?.inputs[3]).not.toHaveProperty('choices');
    expect([
      readDefinition(undefined, 'A'),
      readDefinition({ A: 5 }, 'A'),
      readDefinition({}, 'toString'),
    ]).toEqual([...[undefined, undefined, undefined]]);
  });

  it('is of the engine or of a package by its module, where it names one', () => {
    const origin = (python_module: unknown) => {
      const { isForeign, isOfEngine } = read({ python_module })!;
      return [isForeign, isOfEngine];
    };
    for (const own of ['nodes', 'comfy', 'comfy_extras.nodes_x', 'comfy_api_nodes.a'])
      expect(origin(own)).toEqual([false, true]);
    for (const other of ['custom_nodes.a', 'nodes2', 'my.nodes', 'comfy_other'])
      expect(origin(other)).toEqual([true, false]);
    expect([origin(undefined), origin(5)]).toEqual([
      [false, false],
      [false, false],
    ]);
  });

  it('says what else it is', () => {
    const whole = {
      output: ['IMAGE', ['a'], 5],
      output_node: true,
      display_name: 'X',
      fallbackWidgetsValuesNames: ['a'],
    };
    expect(read(whole)).toMatchObject({
      ...{ outputs: ['IMAGE', 'COMBO', '*'], outputTypes: ['IMAGE', ['a'], 5], isOutputNode: true },
      ...{ displayName: 'X', valueNames: ['a'], takesAnything: false },
    });
    const bare = read({ output_node: 1, display_name: '', fallbackWidgetsValuesNames: false });
    expect(bare).toMatchObject({ outputs: [], isOutputNode: false });
    expect(bare).not.toHaveProperty('displayName');
    expect(bare).not.toHaveProperty('valueNames');
    expect(read({}, 'CustomCombo')?.takesAnything).toBe(true);
    const kept = {};
    expect(read(kept)).toBe(read(kept));
  });
});

describe('the format of a workflow', () => {
  it('is told by its nodes', () => {
    expect([isApiNode({ class_type: 'A' }), isApiNode({ class_type: 1 }), isApiNode(null)]).toEqual([
      true,
      false,
      false,
    ]);
    expect([isApi({ a: 1, b: { class_type: 'A' } }), isApi({ a: 1 }), isApi([])]).toEqual([
      true,
      false,
      false,
    ]);
    for (const member of ['links', 'last_node_id', 'state', 'version'])
      expect([member, isUi({ nodes: [], [member]: 1 })]).toEqual([member, true]);
    expect(isUi({ nodes: [null, { type: 'A' }] })).toBe(true);
    expect([isUi({ nodes: [{ type: 5 }] }), isUi({ nodes: {}, links: [] }), isUi({ links: [] })]).toEqual([
      false,
      false,
      false,
    ]);
  });

  const [api, other] = [{ 1: { class_type: 'A' } }, { 2: { class_type: 'B' } }];
  const ui = { nodes: [], links: [] };

  it.each<readonly [unknown, object]>([
    [api, { from: 'file', api }],
    [ui, { from: 'file', ui }],
    [
      { prompt: api, workflow: ui },
      { from: 'wrapper', api, ui },
    ],
    [
      { output: api, x: other },
      { from: 'wrapper', api },
    ],
    [{ a: { b: { c: api } } }, { from: 'wrapper', api }],
    [{ a: { b: { c: { d: api } } } }, { from: 'wrapper' }],
    [
      { a: api, b: other },
      { from: 'wrapper', several: 2 },
    ],
    [
      { a: api, b: { c: other } },
      { from: 'wrapper', api },
    ],
    [
      { a: ui, b: ui },
      { from: 'wrapper', several: 2 },
    ],
    [{ a: 1 }, { from: 'wrapper' }],
    [[7, 'id', api, { extra_pnginfo: { workflow: ui } }], { from: 'history', api, ui }],
    [{ id: { prompt: [7, 'id', api, {}] } }, { from: 'history', api }],
    [['7', 'id', api], { from: 'wrapper', api }],
    [[7, 5, api], { from: 'wrapper', api }],
    [[7, 'id', 5], { from: 'wrapper' }],
    [{ prompt: JSON.stringify(api) }, { from: 'wrapper', api }],
    [{ a: ` \n${JSON.stringify(api)}` }, { from: 'wrapper', api }],
    [JSON.stringify([api]), { from: 'wrapper', api }],
    [{ a: `x${JSON.stringify(api)}` }, { from: 'wrapper' }],
    [
      { prompt: api, extra_data: { extra_pnginfo: { workflow: ui } } },
      { from: 'wrapper', api, ui },
    ],
    [
      { prompt: 'a cat', x: [api] },
      { from: 'wrapper', api },
    ],
  ])('is found in %j', (value, found) => {
    expect(findGraphs(value)).toEqual(found);
  });
});

it('a graph is read as it is: marks inside of texts stay, and texts have no rounded numbers', () => {
  const text = '{"1":{"class_type":"A","inputs":{"t":"a\uFEFFb","x":1e20}}}';
  for (const source of [text, `\uFEFF${text}`])
    expect(readGraph(source)).toMatchObject({
      right: { workflow: { 1: { inputs: { t: 'a\uFEFFb', x: 1e20 } } }, problems: [] },
    });
  const given = { 1: { class_type: 'A', inputs: { x: 1e20 } } };
  const read = readGraph(given);
  expect(read).toMatchObject({ right: { problems: [{ nodeId: '1' }] } });
  expect(read._tag === 'Right' && read.right.workflow).toBe(given);
});

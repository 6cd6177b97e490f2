import { describe, expect, it } from 'vitest';
import { groupParts, inputNamer } from '../../../src/workflow/convert/group-inputs.js';
import {
  guessWidgets,
  isControl,
  isLeftover,
  isOfEditor,
} from '../../../src/workflow/convert/guess-widgets.js';
import { planOf } from '../../../src/workflow/convert/widget-plan.js';
import { readDefinition } from '../../../src/workflow/definitions.js';
import type { Socket, UiNode } from '../../../src/workflow/convert/ui-graph.js';

const uiNode = (more: Partial<UiNode> = {}): UiNode => ({
  ...{ id: '1', type: 'A', kind: 'class', isMuted: false, isBypassed: false, title: 'A' },
  ...{ definition: undefined, plan: undefined, sockets: [], outputs: [], values: [], raw: {} },
  ...more,
});
const socket = (name: string | undefined, type: string, more: Partial<Socket> = {}): Socket => ({
  name,
  type,
  ...more,
});

describe('what a node in a group node shows outside', () => {
  it('is the value of a primitive with the entries of its type, where something is linked to it', () => {
    const primitive = uiNode({ kind: 'primitive' });
    expect(groupParts(primitive, undefined)).toEqual([]);
    expect(['COMBO', 'INT', 'FLOAT'].flatMap((type) => groupParts(primitive, type))).toEqual([
      { input: 'value', type: 'COMBO', entries: 3 },
      { input: 'value', type: 'INT', entries: 2 },
      { input: 'value', type: 'FLOAT', entries: 1 },
    ]);
  });

  it('is the free input of a reroute, by the type of its link', () => {
    const reroute = (link?: string) =>
      uiNode({ kind: 'reroute', sockets: [socket('', '*', link === undefined ? {} : { link })] });
    expect(groupParts(reroute(), 'CLIP')).toEqual([{ input: '', type: 'CLIP', label: 'CLIP', entries: 0 }]);
    expect(groupParts(reroute(), undefined)).toEqual([{ input: '', type: '*', label: '*', entries: 0 }]);
    expect(groupParts(reroute('3'), 'CLIP')).toEqual([]);
    expect(groupParts(uiNode({ kind: 'reroute', sockets: [socket(undefined, '*')] }), 'CLIP')).toEqual([]);
  });

  it.each(['set', 'get', 'drop', 'everywhere', 'editor', 'group'] as const)(
    'is nothing of a node that is %s',
    (kind) => {
      expect(groupParts(uiNode({ kind, sockets: [socket('a', 'IMAGE')] }), 'IMAGE')).toEqual([]);
    },
  );

  const spec = {
    image: ['IMAGE'],
    seed: ['INT', {}],
    text: ['STRING'],
    upload: [['a.png'], { image_upload: true }],
  };
  const definition = readDefinition({ A: { input: { required: spec }, output: [] } }, 'A');
  const plan = planOf(definition!);

  it('is each widget with its entries, then those at the end, then the free inputs', () => {
    const sockets = [socket('image', 'IMAGE'), socket('mask', 'MASK', { link: '4' }), socket(undefined, 'X')];
    expect(groupParts(uiNode({ plan, definition, sockets }), undefined)).toEqual([
      { input: 'seed', type: 'INT', entries: 2, isLast: false },
      { input: 'text', type: 'STRING', entries: 1, isLast: false },
      { input: 'upload', type: 'COMBO', entries: 1, isLast: false },
      { entries: 1 },
      { input: 'image', type: 'IMAGE', entries: 0 },
    ]);
  });

  it('has widgets that were turned into inputs last, and none that are linked inside', () => {
    const sockets = [
      socket('text', 'STRING', { widget: 'text' }),
      socket('seed', 'INT', { widget: 'seed', link: '3' }),
    ];
    expect(groupParts(uiNode({ plan, definition, sockets }), undefined)).toEqual([
      { input: 'text', type: 'STRING', entries: 1, isLast: true },
      { input: 'upload', type: 'COMBO', entries: 1, isLast: false },
      { entries: 1 },
    ]);
  });

  it('has the widgets with sockets of the file after the others, by the index of the socket as a text', () => {
    const inputs = [
      { name: 'text', widget: { name: 'text' } },
      { name: 'seed', widget: { name: 'seed' } },
      { name: 'upload', widget: { name: 'other' } },
      null,
    ];
    const shown = groupParts(uiNode({ plan, definition, raw: { inputs } }), undefined);
    expect(shown.map(({ input }) => input)).toEqual(['upload', 'text', 'seed', undefined]);
  });

  it('is as many entries as it has values where nothing is known of its class', () => {
    const sockets = [socket('a', 'IMAGE')];
    expect(groupParts(uiNode({ kind: 'subgraph', values: [1, 2], sockets }), undefined)).toEqual([
      { entries: 2 },
      { input: 'a', type: 'IMAGE', entries: 0 },
    ]);
  });
});

it('the inputs of a group node have names of their own: a second one has the title of its node in front', () => {
  const nameOf = inputNamer();
  const encode = uiNode({ type: 'Encode' });
  const titled = uiNode({ type: 'Encode', raw: { title: 'Positive' } });
  expect([
    nameOf(encode, 'clip', 'clip'),
    nameOf(encode, 'clip', 'clip'),
    nameOf(encode, 'clip', 'clip'),
  ]).toEqual([...['clip', 'Encode clip', 'Encode 2 clip']]);
  expect([
    nameOf(encode, 'clip', 'clip'),
    nameOf(titled, 'clip', 'clip'),
    nameOf(titled, 'text', 'text'),
  ]).toEqual([...['Encode 3 clip', 'Positive clip', 'text']]);
  const primitive = uiNode({ kind: 'primitive', type: 'PrimitiveNode', raw: { title: 'Seed' } });
  expect([nameOf(primitive, 'value', 'value'), nameOf(primitive, 'value', 'value')]).toEqual([
    'Seed value',
    'Seed 2 value',
  ]);
  expect(nameOf(uiNode({ kind: 'primitive', type: 'PrimitiveNode' }), 'value', 'number')).toBe('number');
});

describe('the values of a node without a definition', () => {
  const guessed = (values: readonly unknown[], ...sockets: readonly Socket[]) => {
    const { widgets, others } = guessWidgets(uiNode({ values, sockets }));
    return [widgets.map(({ name, value }) => [name, value]), others];
  };
  const widget = (name: string | undefined, type: string): Socket =>
    socket(name, type, { widget: name ?? 'x' });

  it('are named by the object that the file has, but for those of the editor', () => {
    const raw = {
      widgets_values: { a: 1, videopreview: {}, Upload: 2, control_after: 3, 'choose file to upload': 4 },
    };
    expect(guessWidgets(uiNode({ raw }))).toEqual({ widgets: [{ name: 'a', value: 1 }], others: [] });
    const named = { widgets_values: [9], widgets_values_named: { b: 2, audioUI: '' } };
    expect(guessWidgets(uiNode({ raw: named }))).toEqual({ widgets: [{ name: 'b', value: 2 }], others: [] });
    expect(['imagepreview', 'preview', 'uploads', 'control'].map(isOfEditor)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it('are named by the sockets of widgets, in their order', () => {
    expect(guessed([1, 'a'], widget('n', 'INT'), widget('s', 'STRING'))).toEqual([
      [
        ['n', 1],
        ['s', 'a'],
      ],
      [],
    ]);
    expect(guessed([1], socket('plain', 'INT'), widget(undefined, 'INT'), widget('n', 'INT'))).toEqual([
      [['n', 1]],
      [],
    ]);
    expect(guessed([], widget('n', 'INT'))).toEqual([[], []]);
    expect(guessed([1], widget('n', 'INT'), widget('s', 'STRING'))).toEqual([[['n', 1]], []]);
    // What is never sent has no value.
    expect(guessed([1], widget('u', 'IMAGEUPLOAD'), widget('n', 'INT'))).toEqual([[['n', 1]], []]);
  });

  it('leave out control words behind numbers and choices where there are more values than sockets', () => {
    const [n, s, c] = [widget('n', 'INT'), widget('s', 'STRING'), widget('c', 'COMBO')];
    expect(guessed([1, 'fixed', 'a'], n, s)).toEqual([
      [
        ['n', 1],
        ['s', 'a'],
      ],
      [],
    ]);
    expect(guessed([1, 'fixed'], n, s)).toEqual([
      [
        ['n', 1],
        ['s', 'fixed'],
      ],
      [],
    ]);
    expect(guessed(['a', 'fixed', 1], s, n)).toEqual([[], ['a', 'fixed', 1]]);
    expect(guessed(['x', 'randomize', 'filter', 1], c, n)).toEqual([
      [
        ['c', 'x'],
        ['n', 1],
      ],
      [],
    ]);
    expect(guessed(['x', 'randomize', 1], c, n)).toEqual([
      [
        ['c', 'x'],
        ['n', 1],
      ],
      [],
    ]);
    expect(guessed([1, 'fixed', 2, 'increment', 3], n, widget('m', 'FLOAT'), s)).toEqual([
      [
        ['n', 1],
        ['m', 2],
        ['s', 3],
      ],
      [],
    ]);
  });

  it('are none where more is left than the editor leaves', () => {
    const n = widget('n', 'INT');
    expect(guessed([1, 'image', 'refresh', null, '', true], n)).toEqual([[['n', 1]], []]);
    expect(guessed([1, 'image', 'x'], n)).toEqual([[], [1, 'image', 'x']]);
    expect(
      ['fixed', 'increment', 'decrement', 'randomize', true, false, 'other', null].map(isControl),
    ).toEqual([...[true, true, true, true, true, true, false, false]]);
    expect(['fixed', 'image', 'refresh', null, '', undefined, 0].map(isLeftover)).toEqual([
      ...[true, true, true, true, true, false, false],
    ]);
  });
});

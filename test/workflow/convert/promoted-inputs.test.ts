import { describe, expect, it } from 'vitest';
import type { Context, Override, Scope } from '../../../src/workflow/convert/context.js';
import type { Consumer, Socket, UiGraph, UiLink, UiNode } from '../../../src/workflow/convert/ui-graph.js';
import { findWidgetValue } from '../../../src/workflow/convert/find-widget-value.js';
import { planOf } from '../../../src/workflow/convert/widget-plan.js';
import type { Problem } from '../../../src/core/protocol/problem.js';
import { promotedInputs } from '../../../src/workflow/convert/promoted-inputs.js';
import { promotedValues } from '../../../src/workflow/convert/promoted-values.js';
import { readDefinition } from '../../../src/workflow/definitions.js';
import { replacesIn, replaceText } from '../../../src/workflow/convert/replace-text.js';
import { reportUnusedLinks } from '../../../src/workflow/convert/unused-links.js';
import { writePrimitives } from '../../../src/workflow/convert/primitives.js';

const definitionOf = (required: object) => readDefinition({ A: { input: { required }, output: [] } }, 'A')!;
const spec = { seed: ['INT', {}], text: ['STRING'], model: ['MODEL'] };
const definition = definitionOf(spec);
const plan = planOf(definition);

const uiNode = (id: string, more: Partial<UiNode> = {}): UiNode => ({
  ...{ id, type: 'A', kind: 'class', isMuted: false, isBypassed: false, title: 'A' },
  ...{ definition, plan, sockets: [], outputs: [], values: [], raw: {} },
  ...more,
});
const socket = (name: string, more: Partial<Socket> = {}): Socket => ({ name, type: 'X', ...more });
const link = (originId: string, originSlot: number, targetId = '1', targetSlot = 0): UiLink => ({
  ...{ originId, originSlot, targetId, targetSlot },
});

const uiGraph = (
  nodes: readonly UiNode[],
  links: Readonly<Record<string, UiLink>> = {},
  consumers: Readonly<Record<string, Consumer>> = {},
  more: Partial<UiGraph> = {},
): UiGraph => ({
  ...{ nodes: new Map(nodes.map((node) => [node.id, node])), linkOf: new Map(Object.entries(links)) },
  ...{
    consumerOf: new Map(Object.entries(consumers)),
    feeding: new Set(),
    outputLinkOf: new Map(),
    setNodeOf: new Map(),
  },
  ...{ controllers: undefined, pathLinks: new Map(), entries: undefined, visibleEntries: undefined },
  ...more,
});
const contextOf = (inner?: UiGraph, told: Problem[] = []): Context =>
  ({ graphIn: () => inner, report: (problem: Problem) => told.push(problem) }) as unknown as Context;

/** A graph whose inputs feed these sockets, one after the other. */
const fed = (...consumers: readonly Consumer[]) =>
  uiGraph(
    consumers.map(({ node }) => node),
    Object.fromEntries(consumers.map((_, slot) => [`${slot}`, link('-10', slot)])),
    Object.fromEntries(consumers.map((consumer, slot) => [`${slot}`, consumer])),
  );
const to = (name: string, more: Partial<Socket> = {}, node: Partial<UiNode> = {}): Consumer => ({
  node: uiNode('1', node),
  socket: socket(name, more),
});

describe('the promoted inputs of a subgraph', () => {
  const inputsOf = (graph: UiGraph, inner?: UiGraph) => [...promotedInputs(contextOf(inner), graph)];

  it('are those that feed a widget, with whether it has a control word', () => {
    expect(inputsOf(fed(to('seed'), to('text'), to('model'), to('none')))).toEqual([
      [0, true],
      [1, false],
    ]);
  });

  it('are by what the file says where the class has no such input, or is not known', () => {
    expect(inputsOf(fed(to('own', { widget: 'own' }), to('model', { widget: 'model' })))).toEqual([
      [0, false],
    ]);
    const unknown = { plan: undefined, definition: undefined };
    expect(inputsOf(fed(to('seed', { widget: 'seed' }, unknown), to('seed', {}, unknown)))).toEqual([
      [0, false],
    ]);
  });

  it('have a control word where one of several widgets has, and come of the borders alone', () => {
    const [seed, text] = [to('seed'), to('text')];
    const graph = (order: readonly Consumer[]) =>
      uiGraph(
        [],
        { a: link('-10', 0), b: link('-10', 0), c: link('5', 1), d: link('-10', 2) },
        { a: order[0]!, b: order[1]!, c: seed },
      );
    expect([inputsOf(graph([seed, text])), inputsOf(graph([text, seed]))]).toEqual([
      [[0, true]],
      [[0, true]],
    ]);
  });

  it('are those of instances inside, by the place of the socket, and none of a graph in itself', () => {
    const sockets = [socket('model'), socket('seed')];
    const instance = uiNode('1', { kind: 'subgraph', sockets });
    const outer = fed({ node: instance, socket: sockets[0]! }, { node: instance, socket: sockets[1]! });
    expect(inputsOf(outer, fed(to('model'), to('seed')))).toEqual([[1, true]]);
    const own = fed({ node: instance, socket: sockets[1]! });
    expect(inputsOf(own, own)).toEqual([]);
  });
});

describe('the values that an instance gives to the inside', () => {
  const sockets = [socket('seed'), socket('model'), socket('text')];
  const given = (
    values: readonly unknown[],
    {
      proxies,
      overrides = [],
      inside = [],
    }: { proxies?: unknown; overrides?: readonly Override[]; inside?: readonly UiNode[] } = {},
  ) => {
    const told: Problem[] = [];
    const inner = {
      ...fed(to('seed'), to('model'), to('text')),
      nodes: new Map(inside.map((node) => [node.id, node])),
    };
    const raw = proxies === undefined ? {} : { properties: { proxyWidgets: proxies } };
    const node = uiNode('8', { kind: 'subgraph', sockets, values, raw });
    const scope = {
      context: contextOf(undefined, told),
      overrides: new Map([['8', overrides]]),
      path: [],
    } as unknown as Scope;
    const { promoted, overrides: own } = promotedValues(scope, node, inner);
    return {
      promoted: [...promoted],
      own: [...own].map(([id, all]) => [id, all.map(({ widget, value }) => [widget, value])]),
      told: told.length,
    };
  };

  it('are one for each promoted input, with control words between them where there are more', () => {
    expect(given([7, 'a'])).toMatchObject({
      promoted: [
        [0, 7],
        [2, 'a'],
      ],
      told: 0,
    });
    expect(given([7, 'fixed'])).toMatchObject({
      promoted: [
        [0, 7],
        [2, 'fixed'],
      ],
      told: 0,
    });
    expect(given([7, 'fixed', 'a'])).toMatchObject({
      promoted: [
        [0, 7],
        [2, 'a'],
      ],
      told: 0,
    });
    expect(given([7, 'a', 'b'])).toMatchObject({
      promoted: [
        [0, 7],
        [2, 'a'],
      ],
      told: 1,
    });
    expect(given([null, undefined])).toMatchObject({ promoted: [], told: 0 });
    expect(given([7, 'fixed', 'a', 'b', 'c'])).toMatchObject({
      promoted: [
        [0, 7],
        [2, 'a'],
      ],
      told: 1,
    });
  });

  it('are those of the widgets that the instance lists', () => {
    const inside = [uiNode('3')];
    const listed = (proxies: unknown, ...values: readonly unknown[]) => given(values, { proxies, inside });
    expect(
      listed(
        [
          ['3', 'seed'],
          ['3', 'text'],
        ],
        7,
        'a',
      ),
    ).toMatchObject({
      own: [
        [
          '3',
          [
            ['seed', 7],
            ['text', 'a'],
          ],
        ],
      ],
      ...{ promoted: [], told: 0 },
    });
    expect(listed([['3', '5: 3: seed']], 7).own).toEqual([['3', [['seed', 7]]]]);
    expect(
      listed(
        [
          ['-1', 'text'],
          ['-1', 'none'],
        ],
        'a',
        'b',
      ),
    ).toMatchObject({ promoted: [[2, 'a']], told: 0 });
    expect(listed([['3', '$$canvas'], 5, ['3', 5]], 1, 2, 3)).toMatchObject({ own: [], told: 0 });
    expect(listed([['3', 'seed']], null)).toMatchObject({ own: [] });
    // What is not there inside is told once.
    expect(
      listed(
        [
          ['9', 'seed'],
          ['3', 'none'],
          ['3', 'control_after_generate'],
        ],
        1,
        2,
        'fixed',
      ),
    ).toMatchObject({ told: 1 });
    expect(listed([['3', 'seed']], 7, 'more').told).toBe(1);
  });

  it('are of the graph around where that gives some', () => {
    const outer = (source?: string): readonly Override[] => [
      { widget: 'seed', value: 9, isRaw: true, ...(source !== undefined && { source }) },
    ];
    const inside = [uiNode('3')];
    const of = (source?: string) =>
      given([7], { proxies: [['3', 'seed', '4']], overrides: outer(source), inside }).own;
    expect([of(), of('3'), of('4'), of('5')]).toEqual([
      [['3', [['seed', 9]]]],
      [['3', [['seed', 9]]]],
      [['3', [['seed', 9]]]],
      [['3', [['seed', 7]]]],
    ]);
    expect(given([], { overrides: outer() }).promoted).toEqual([[0, 9]]);
  });
});

describe('texts with names of widgets in them', () => {
  const now = () => new Date(2026, 2, 4, 5, 6, 7);
  const values: Readonly<Record<string, unknown>> = {
    ...{ 'A.x': 'a/b?c', 'A.n': 5, 'A.none': null, 'A.on': true, 'A.list': [1] },
  };
  const replaced = (text: string) => replaceText(text, (name, widget) => values[`${name}.${widget}`], now);

  it.each([
    ['%A.x%_%A.n%', 'a_b_c_5'],
    ['%A.none%%A.on%', 'true'],
    ['%A.list% %A.lost% %A.x.y% %width%', '%A.list% %A.lost% %A.x.y% %width%'],
    ['%date:yyyy-MM-dd hh:mm:ss%', '2026-03-04 05:06:07'],
    ['%date:yy yyy M d h m s%', '26 yyy 3 4 5 6 7'],
    ['100 %', '100 %'],
  ])('%j become %j', (text, result) => {
    expect(replaced(text)).toBe(result);
  });

  it('are those of savers', () => {
    const savers = ['SaveImage', 'SaveVideo', 'Save3DAdvanced', 'CLIPSave', 'LoraSave'];
    const others = ['MySaveImage', 'SaveImages', 'SaveText', 'CLIPSaves', 'PreviewImage'];
    expect([savers.every(replacesIn), others.some(replacesIn)]).toEqual([true, false]);
  });

  it('name a node by its property, else its class, else its title, the first of each', () => {
    const own = (id: string, value: string, more: Partial<UiNode> = {}, name?: string) =>
      uiNode(id, {
        ...{ values: [1, 'fixed', value] },
        ...more,
        raw: {
          widgets_values: [1, 'fixed', value],
          ...(name !== undefined && { properties: { 'Node name for S&R': name } }),
        },
      });
    const nodes = [
      own('1', 'first'),
      own('2', 'second'),
      own('3', 'third', { title: 'Mine' }, 'Named'),
      own('4', 'saver', { type: 'SaveImage', title: 'Saver' }),
    ];
    const scope = {
      graph: uiGraph(nodes),
      overrides: new Map(),
      context: { definitions: {} },
    } as unknown as Scope;
    const find = (name: string, widget = 'text') => findWidgetValue(scope, name, widget);
    expect([find('A'), find('Named'), find('Mine'), find('Saver')]).toEqual([
      'first',
      'third',
      'third',
      'saver',
    ]);
    expect([find('SaveImage'), find('A', 'none'), find('None')]).toEqual([undefined, undefined, undefined]);
  });
});

it('a link that no input of a node names is told, where the node runs and both ends are there', () => {
  const told = (node: Partial<UiNode>, origin = '2', consumers: Readonly<Record<string, Consumer>> = {}) => {
    const problems: Problem[] = [];
    const graph = uiGraph([uiNode('1', node), uiNode('2')], { 5: link(origin, 0, '1') }, consumers);
    reportUnusedLinks({ graph, context: contextOf(undefined, problems), path: [] } as unknown as Scope);
    return problems.length;
  };
  expect(told({})).toBe(1);
  expect([
    told({ isMuted: true }),
    told({ isBypassed: true }),
    told({ kind: 'reroute' }),
    told({}, '9'),
  ]).toEqual([0, 0, 0, 0]);
  expect(told({}, '2', { 5: to('seed') })).toBe(0);
});

it('a primitive writes its value into the widget that it feeds', () => {
  const written = (
    socketOf: Partial<Socket>,
    more: Partial<UiNode> = {},
    before: readonly Override[] = [],
    consumed = true,
  ) => {
    const primitive = uiNode('6', { kind: 'primitive', plan: undefined, values: [7.4], ...more });
    const consumer = { node: uiNode('1'), socket: { name: 'own', type: 'INT', ...socketOf } };
    const overrides = new Map<string, Override[]>(before.length > 0 ? [['6', [...before]]] : []);
    const graph = uiGraph(
      [primitive, uiNode('1')],
      { a: link('6', 0), b: link('1', 0) },
      consumed ? { a: consumer, b: consumer } : {},
    );
    writePrimitives(graph, overrides);
    return overrides.get('1');
  };
  const plain = { isRaw: false, isReplaced: false };
  expect(written({})).toEqual([{ widget: 'own', value: 7.4, ...plain }]);
  expect(written({ widget: 'seed' })).toMatchObject([{ widget: 'seed', value: 7 }]);
  expect(written({ name: undefined })).toMatchObject([{ widget: '' }]);
  expect(written({}, { raw: { properties: { 'Run widget replace on values': true } } })).toMatchObject([
    { isReplaced: true },
  ]);
  expect(
    written({}, {}, [
      { widget: 'value', value: 1, isRaw: false },
      { widget: 'value', value: 2, isRaw: true },
    ]),
  ).toMatchObject([{ value: 2, isRaw: true }]);
  expect([written({}, { values: [] }), written({}, { kind: 'class' }), written({}, {}, [], false)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

describe('how the editor lays out a class', () => {
  const laidOut = (required: object, optional: object = {}) =>
    planOf(readDefinition({ A: { input: { required, optional }, output: [] } }, 'A')!);

  it('has widgets with the entries behind their values', () => {
    const control = { control_after_generate: true };
    const { widgets } = laidOut({
      ...{
        seed: ['INT', {}],
        noise_seed: ['INT', {}],
        steps: ['INT', {}],
        own: ['INT', control],
        rate: ['FLOAT', control],
      },
      ...{
        off: ['INT', { control_after_generate: false }],
        word: ['INT', { control_after_generate: 'fixed' }],
      },
      ...{
        empty: ['INT', { control_after_generate: '' }],
        pick: [['a'], control],
        text: ['STRING', control],
      },
      ...{
        far: ['COMBO', { remote: { refresh_button: true } }],
        near: ['COMBO', { remote: {} }],
        'mode.seed': ['INT', {}],
      },
      ...{ myseed: ['INT', {}], other: ['MYINT'], typed: ['X', { widgetType: 'FLOAT' }] },
    });
    expect(Object.fromEntries(widgets.map(({ name, entriesAfter }) => [name, entriesAfter]))).toEqual({
      ...{ seed: 1, noise_seed: 1, steps: 0, own: 1, rate: 1, off: 0, word: 1, empty: 0, pick: 2, text: 0 },
      ...{ far: 2, near: 1, 'mode.seed': 1, myseed: 0, typed: 0 },
    });
  });

  it('has buttons and players at its end, and sockets before widgets', () => {
    const upload = (kind: string) => laidOut({ x: [['a'], { [`${kind}_upload`]: true }] }).entriesAtEnd;
    expect(['audio', 'image', 'video', 'animated_image', 'file'].map(upload)).toEqual([2, 1, 1, 1, 0]);
    expect(laidOut(spec).declared.map(({ name }) => name)).toEqual(['model', 'seed', 'text']);
    expect(laidOut({ ...spec, grow: ['COMFY_AUTOGROW_V3', {}] }).declared).toEqual([]);
  });

  it('knows the entries of former files, of inputs that are forced as well', () => {
    const forced = { forceInput: true };
    const { forcedEntries } = laidOut(
      {
        a: ['INT', forced],
        b: ['INT', {}],
        c: ['INT', { ...forced, control_after_generate: true }],
        up: [['x'], { image_upload: true }],
      },
      { d: ['INT', { defaultInput: true }], e: ['MODEL'] },
    );
    expect(forcedEntries).toEqual([true, false, true, false, false, true, undefined]);
    expect(laidOut(spec)).not.toHaveProperty('forcedEntries');
    expect(laidOut({ d: ['INT', { defaultInput: true }] }).widgets).toHaveLength(1);
  });
});

import { describe, expect, it } from 'vitest';
import { graph } from '../../../src/workflow/build/graph.js';
import type { BuiltNode, Input, Literal, NodeOptions, Output } from '../../../src/workflow/build/output.js';

interface Loaded extends BuiltNode {
  readonly MODEL_0: Output<'MODEL'>;
  readonly 0: Output<'MODEL'>;
  readonly CLIP_SKIP_12: Output<'CLIP'>;
}

interface Nodes {
  Load(inputs: { readonly name: string }, options?: NodeOptions): Loaded;
  Take(
    inputs: {
      readonly model?: Input<'model', 'MODEL'> | undefined;
      readonly any?: Literal | Input<'any', string>;
    },
    options?: NodeOptions,
  ): BuiltNode;
  'Odd: name'(inputs?: Readonly<Record<string, never>>): BuiltNode;
  workflow(inputs?: Readonly<Record<string, never>>): BuiltNode;
  then(inputs?: Readonly<Record<string, never>>): BuiltNode;
}

describe('graph', () => {
  it('gives nodes ids in the order of their making, and links by the slot at the end of a name', () => {
    const g = graph<Nodes>();
    const loaded = g.Load({ name: 'a' }, { title: 'Loader' });
    g.Take({ model: loaded.MODEL_0 });
    g.Take({ model: loaded[0], any: loaded.CLIP_SKIP_12 });
    expect(g.workflow()).toEqual({
      '1': { class_type: 'Load', inputs: { name: 'a' }, _meta: { title: 'Loader' } },
      '2': { class_type: 'Take', inputs: { model: ['1', 0] } },
      '3': { class_type: 'Take', inputs: { model: ['1', 0], any: ['1', 12] } },
    });
  });

  it('takes ids of the caller, gives none twice, and refuses one that it has', () => {
    const g = graph<Nodes>();
    g.Load({ name: 'a' }, { id: '2' });
    g.Load({ name: 'b' }, { id: '__proto__' });
    expect([g.Load({ name: 'c' }).id, g.Load({ name: 'd' }).id]).toEqual(['1', '3']);
    expect(Object.keys(g.workflow())).toEqual(['1', '2', '3', '__proto__']);
    expect(() => g.Load({ name: 'e' }, { id: '2' })).toThrow(
      expect.objectContaining({ _tag: 'InvalidWorkflow', message: 'The graph has a node "2" already.' }),
    );
  });

  it('leaves undefined inputs out, wraps lists, and copies what it is given', () => {
    const g = graph<Nodes>();
    const [list, object] = [[1, [2n]], { a: [null] }];
    g.Take({ model: undefined, any: list });
    g.Take({ any: object });
    g.Take({ any: g.raw(['1', -1]) }, { extra: { more: true } });
    list.push(3);
    object.a.push(null);
    const inputs = Object.values(g.workflow()).map((node) => node.inputs);
    expect(inputs).toEqual([
      { any: { __value__: [1, [2n]] } },
      { any: { a: [null] } },
      { any: ['1', -1], more: true },
    ]);
  });

  it('keeps inputs of any name as members of their own', () => {
    const g = graph();
    g.unknown('A', { ['__proto__']: 1, constructor: 2 });
    expect(Object.entries(g.workflow()['1']!.inputs)).toEqual([
      ['__proto__', 1],
      ['constructor', 2],
    ]);
  });

  it('makes nodes of unknown classes on request, whose outputs are of any type or a named one', () => {
    const g = graph<Nodes>();
    const node = g.unknown('Gone', { x: 1 });
    g.Take({ model: node.output(2) });
    g.Take({ model: node.output(0, 'MODEL') });
    expect(g.workflow()).toMatchObject({
      '2': { inputs: { model: ['1', 2] } },
      '3': { inputs: { model: ['1', 0] } },
    });
  });

  it('makes classes by name that are no members of it, and stays no promise', async () => {
    const g = graph<Nodes>();
    g['Odd: name']();
    g.node('Odd: name');
    g.node('workflow', {});
    g.node('then');
    expect(await Promise.resolve(g)).toBe(g);
    expect(JSON.stringify(g)).toBe('{}');
    expect(Object.values(g.workflow()).map((node) => node.class_type)).toEqual([
      'Odd: name',
      'Odd: name',
      'workflow',
      'then',
    ]);
  });

  it('refuses outputs of another graph, nodes, and lists of outputs', () => {
    const g = graph<Nodes>();
    const loaded = g.Load({ name: 'a' });
    const stranger = graph<Nodes>().Load({ name: 'b' });
    const refused = (value: unknown) => () => g.Take({ any: value as Literal }, { id: 'x' });
    const error = (message: string) =>
      expect.objectContaining({ _tag: 'InvalidWorkflow', message }) as unknown;
    expect(refused(stranger.MODEL_0)).toThrow(
      error('The input "any" of node "x" (Take) is an output of another graph.'),
    );
    expect(refused(loaded)).toThrow(
      error('The input "any" of node "x" (Take) is a node, and needs one of its outputs.'),
    );
    expect(refused([1, loaded.MODEL_0])).toThrow(
      error('The input "any" of node "x" (Take) is a list of outputs.'),
    );
    expect(refused([loaded.MODEL_0])).toThrow(
      error('The input "any" of node "x" (Take) is a list of outputs.'),
    );
    expect(Object.keys(g.workflow())).toEqual(['1']);
  });

  it('tells of an output its node and slot, and has none of another name', () => {
    const g = graph<Nodes>();
    const loaded = g.Load({ name: 'a' });
    expect([loaded.MODEL_0, loaded.CLIP_SKIP_12]).toEqual([
      { nodeId: '1', slot: 0 },
      { nodeId: '1', slot: 12 },
    ]);
    expect([
      Reflect.get(loaded, 'x5'),
      Reflect.get(loaded, 'MODEL'),
      Reflect.get(g, Symbol.iterator),
    ]).toEqual([undefined, undefined, undefined]);
    g.Take({ any: null });
    expect(g.workflow()['2']?.inputs).toEqual({ any: null });
  });

  it('gives a copy that later nodes do not change', () => {
    const g = graph<Nodes>();
    g.Load({ name: 'a' });
    const before = g.workflow();
    g.Load({ name: 'b' });
    expect(Object.keys(before)).toEqual(['1']);
  });
});

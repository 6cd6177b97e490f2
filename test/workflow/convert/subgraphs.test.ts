import { describe, expect, it } from 'vitest';
import { convert, inputsOf } from '../helpers/converted.js';
import { type Sketch, subgraph, uiFile } from '../helpers/ui-file.js';

const inner: readonly Sketch[] = [
  {
    id: 5,
    type: 'Encode',
    values: ['inner {a|b}'],
    title: 'Prompt',
    links: { clip: ['in', 0], text: ['in', 1] },
  },
  {
    id: 6,
    type: 'Sampler',
    values: [7, 'fixed', 20, 8, 'heun'],
    links: { positive: [5, 0], seed: ['in', 2] },
  },
];
const definition = subgraph(
  'sub',
  [
    ['clip', 'CLIP'],
    ['text', 'STRING'],
    ['seed', 'INT'],
  ],
  [[6, 0]],
  inner,
);
const checkpoint: Sketch = { id: 1, type: 'Checkpoint', values: ['a'] };
const instance = (more: Partial<Sketch> = {}): Sketch => ({
  id: 8,
  type: 'sub',
  values: ['outer {a|b}', 99],
  links: { clip: [1, 1] },
  ...more,
});
const decode: Sketch = { id: 9, type: 'Decode', links: { samples: [8, 0], vae: [1, 2] } };
const file = (definitions: readonly object[], ...sketches: readonly Sketch[]) =>
  uiFile(sketches, { definitions: { subgraphs: definitions } });
const withOne = (...sketches: readonly Sketch[]) => file([definition], ...sketches);

describe('subgraphs', () => {
  it('unfold to nodes whose ids tell the way, with links across the border and promoted values as they are', () => {
    const { workflow, nodeMap } = convert(withOne(checkpoint, instance(), decode));
    expect(workflow).toEqual({
      '1': expect.anything() as unknown,
      '9': {
        class_type: 'Decode',
        inputs: { samples: ['8:6', 0], vae: ['1', 2] },
        _meta: { title: 'Decode' },
      },
      '8:5': {
        class_type: 'Encode',
        inputs: { text: 'outer {a|b}', clip: ['1', 1] },
        _meta: { title: 'Prompt' },
      },
      '8:6': {
        class_type: 'Sampler',
        inputs: { seed: 99, steps: 20, cfg: 8, sampler_name: 'heun', positive: ['8:5', 0] },
        _meta: { title: 'Sampler' },
      },
    });
    expect(nodeMap).toMatchObject({ '1': { id: '1', path: [] }, '8:5': { id: '5', path: ['8'] } });
  });

  it('have values of their own in each instance', () => {
    const inputs = inputsOf(withOne(checkpoint, instance(), instance({ id: 10, values: ['second', 3] })));
    expect([inputs['8:5']?.['text'], inputs['10:5']?.['text'], inputs['10:6']?.['seed']]).toEqual([
      'outer {a|b}',
      'second',
      3,
    ]);
  });

  it.each([
    ['missing', undefined],
    ['an empty list', []],
    ['null', [null, null]],
  ])('keep the inner values, with their dynamic prompts, where the promoted ones are %s', (_, values) => {
    const inputs = inputsOf(withOne(checkpoint, instance({ values })));
    expect([inputs['8:5']?.['text'], inputs['8:6']?.['seed']]).toEqual(['inner a', 7]);
  });

  it('skip the control words that older files have after promoted seeds', () => {
    const swapped = subgraph(
      'sub',
      [
        ['seed', 'INT'],
        ['text', 'STRING'],
      ],
      [],
      [
        { id: 5, type: 'Encode', values: ['t'], links: { text: ['in', 1] } },
        { id: 6, type: 'Sampler', values: [7, 'fixed'], links: { seed: ['in', 0] } },
      ],
    );
    const inputs = inputsOf(file([swapped], { id: 8, type: 'sub', values: [99, 'fixed', 'outer'] }));
    expect([inputs['8:5']?.['text'], inputs['8:6']?.['seed']]).toEqual(['outer', 99]);
  });

  it('wrap a promoted list, and send one value to all widgets that it feeds', () => {
    const twice = subgraph(
      'sub',
      [['t', 'STRING']],
      [],
      [
        { id: 5, type: 'Encode', links: { text: ['in', 0] } },
        { id: 6, type: 'Text', links: { text: ['in', 0] } },
      ],
    );
    const inputs = inputsOf(file([twice], { id: 8, type: 'sub', values: [['a', 0]] }));
    expect([inputs['8:5']?.['text'], inputs['8:6']?.['text']]).toEqual([
      { __value__: ['a', 0] },
      { __value__: ['a', 0] },
    ]);
  });

  it('take a link for a promoted input, and the inner value where the source is muted', () => {
    const int = (mode: number): Sketch => ({ id: 2, type: 'Int', values: [5], mode });
    const linked = instance({ links: { clip: [1, 1], seed: [2, 0] } });
    expect(inputsOf(withOne(checkpoint, int(0), linked))['8:6']).toMatchObject({ seed: ['2', 0] });
    expect(inputsOf(withOne(checkpoint, int(2), linked))['8:6']).toMatchObject({ seed: 7 });
  });

  it('send the value of a primitive that feeds a promoted input', () => {
    const primitive: Sketch = { id: 2, type: 'PrimitiveNode', values: [5, 'fixed'] };
    const linked = instance({ links: { clip: [1, 1], seed: [2, 0] } });
    expect(inputsOf(withOne(checkpoint, primitive, linked))['8:6']).toMatchObject({ seed: 5 });
  });

  it('match the inputs of an instance by name, of equal names by type and order', () => {
    const doubles = subgraph(
      'sub',
      [
        ['x', 'IMAGE'],
        ['x', 'MASK'],
        ['x', 'IMAGE'],
      ],
      [],
      [{ id: 5, type: 'Swap', values: [1], links: { a: ['in', 0], b: ['in', 1], c: ['in', 2] } }],
    );
    const load = (id: number): Sketch => ({ id, type: 'LoadImage', values: ['a', 'red'] });
    const host = {
      id: 8,
      type: 'sub',
      mode: 0,
      inputs: [
        { name: 'x', type: 'MASK', link: 1 },
        { name: 'x', type: 'IMAGE', link: 2 },
        { name: 'x', type: 'IMAGE', link: 3 },
      ],
    };
    const ui = file([doubles], load(1), load(2), load(3));
    const links = [
      [1, 1, 1, 8, 0, 'MASK'],
      [2, 2, 0, 8, 1, 'IMAGE'],
      [3, 3, 0, 8, 2, 'IMAGE'],
    ];
    expect(inputsOf({ ...ui, nodes: [...ui.nodes, host], links })['8:5']).toMatchObject({
      a: ['2', 0],
      b: ['1', 1],
      c: ['3', 0],
    });
  });

  it('tell inputs of equal names apart behind a bypassed node, and where another of them is promoted', () => {
    const doubles = subgraph(
      'sub',
      [
        ['x', 'MASK'],
        ['x', 'IMAGE'],
        ['x', 'STRING'],
      ],
      [],
      [
        { id: 5, type: 'Swap', values: [1], links: { a: ['in', 1] } },
        { id: 6, type: 'Text', links: { text: ['in', 2] } },
      ],
    );
    const host = (links: readonly (number | null)[], values: readonly unknown[]) => ({
      id: 8,
      type: 'sub',
      inputs: ['MASK', 'IMAGE', 'STRING'].map((type, at) => ({ name: 'x', type, link: links[at] })),
      widgets_values: values,
    });
    const load: Sketch = { id: 1, type: 'LoadImage', values: ['a', 'red'] };
    const bypassed: Sketch = { id: 2, type: 'Swap', mode: 4, links: { a: [1, 0] } };
    const ui = file([doubles], load, bypassed);
    const links = [...ui.links, [9, 2, 1, 8, 1, 'IMAGE']];
    const behindBypass = { ...ui, nodes: [...ui.nodes, host([null, 9, null], ['promoted'])], links };
    expect(inputsOf(behindBypass)).toMatchObject({ '8:5': { a: ['1', 0] }, '8:6': { text: 'promoted' } });

    const outer = subgraph(
      'outer',
      [
        ['mask', 'MASK'],
        ['text', 'STRING'],
      ],
      [],
      [],
    );
    const nested = {
      ...outer,
      nodes: [host([1, null, 2], ['inner'])],
      links: [0, 2].map((slot, at) => ({
        id: at + 1,
        origin_id: -10,
        origin_slot: at,
        target_id: 8,
        target_slot: slot,
      })),
    };
    const promoted = file([doubles, nested], { id: 9, type: 'outer', values: ['from outside'] });
    expect(inputsOf(promoted)).toMatchObject({ '9:8:6': { text: 'from outside' } });
  });

  it('are refused where a node around them has the id of one inside', () => {
    const ui = withOne({ id: '8:6', type: 'Latent', values: [8, 8] }, checkpoint, instance());
    expect(convert(ui)).not.toHaveProperty('workflow');
    expect(convert(ui).problems).toMatchObject([
      { nodeId: '8:6', type: 'duplicate_node_id', severity: 'error' },
    ]);
  });

  it('emit nothing inside when muted, and pass their inputs by type when bypassed', () => {
    expect(inputsOf(withOne(checkpoint, instance({ mode: 2 }), decode))).toEqual({
      '1': { ckpt: 'a' },
      '9': { vae: ['1', 2] },
    });
    const through = subgraph(
      'sub',
      [
        ['clip', 'CLIP'],
        ['latent', 'LATENT'],
      ],
      [[6, 0]],
      [],
    );
    const latent: Sketch = { id: 2, type: 'Latent', values: [8, 8] };
    const bypassed = instance({ mode: 4, links: { clip: [1, 1], latent: [2, 0] } });
    expect(inputsOf(file([through], checkpoint, latent, bypassed, decode))['9']).toEqual({
      samples: ['2', 0],
      vae: ['1', 2],
    });
  });

  it('emit nothing of an instance inside another that is muted or bypassed', () => {
    for (const mode of [2, 4]) {
      const around = subgraph(
        'outer',
        [['clip', 'CLIP']],
        [[10, 0]],
        [{ id: 10, type: 'sub', mode, links: { clip: ['in', 0] } }],
      );
      const ui = file(
        [definition, around],
        checkpoint,
        { id: 8, type: 'outer', links: { clip: [1, 1] } },
        decode,
      );
      expect(inputsOf(ui)).toEqual({ '1': { ckpt: 'a' }, '9': { vae: ['1', 2] } });
    }
  });

  it('pass a link from an input straight to an output, and nothing from an output without a link', () => {
    const straight = subgraph('sub', [['latent', 'LATENT']], [['in', 0]], []);
    const latent: Sketch = { id: 2, type: 'Latent', values: [8, 8] };
    const host: Sketch = { id: 8, type: 'sub', links: { latent: [2, 0] } };
    expect(inputsOf(file([straight], latent, host, decode, checkpoint))['9']).toMatchObject({
      samples: ['2', 0],
    });
    const closed = subgraph('sub', [], [], []);
    expect(inputsOf(file([closed], { id: 8, type: 'sub' }, decode, checkpoint))['9']).toEqual({
      vae: ['1', 2],
    });
  });

  it('nest, and the outermost promoted value counts', () => {
    const outer = subgraph(
      'outer',
      [
        ['clip', 'CLIP'],
        ['prompt', 'STRING'],
      ],
      [[10, 0]],
      [{ id: 10, type: 'sub', values: ['middle', 44], links: { clip: ['in', 0], text: ['in', 1] } }],
    );
    const nested = (values: unknown) =>
      inputsOf(
        file([definition, outer], checkpoint, { id: 11, type: 'outer', values, links: { clip: [1, 1] } }),
      );
    expect(nested(['top'])).toMatchObject({
      '11:10:5': { text: 'top', clip: ['1', 1] },
      '11:10:6': { seed: 44, positive: ['11:10:5', 0] },
    });
    expect(nested(undefined)['11:10:5']).toMatchObject({ text: 'inner a' });
  });

  it('may hold the definitions of those inside them', () => {
    const outer = {
      ...subgraph('outer', [], [], [{ id: 10, type: 'sub', values: ['m', 1] }]),
      definitions: { subgraphs: [definition] },
    };
    expect(Object.keys(inputsOf(file([outer], { id: 11, type: 'outer' })))).toEqual(['11:10:5', '11:10:6']);
  });

  it('have reroutes, notes, primitives and Set nodes inside as outside', () => {
    const busy = subgraph(
      'sub',
      [['clip', 'CLIP']],
      [[4, 0]],
      [
        { id: 2, type: 'Note', values: ['n'] },
        { id: 3, type: 'PrimitiveNode', values: ['written'] },
        { id: 4, type: 'Reroute', links: { '': [6, 0] } },
        { id: 5, type: 'Encode', values: ['old'], links: { clip: [7, 0], text: [3, 0] } },
        { id: 6, type: 'Sampler', values: [1, 'fixed'], links: { positive: [5, 0], model: [12, 0] } },
        { id: 7, type: 'Reroute', links: { '': ['in', 0] } },
        { id: 12, type: 'GetNode', values: ['m'] },
      ],
    );
    const set: Sketch = { id: 3, type: 'SetNode', values: ['m'], links: { MODEL: [1, 0] } };
    expect(inputsOf(file([busy], checkpoint, set, instance({ values: [] }), decode))).toMatchObject({
      '8:5': { text: 'written', clip: ['1', 1] },
      '8:6': { model: ['1', 0] },
      '9': { samples: ['8:6', 0] },
    });
  });

  it('that hold themselves, or are defined nowhere, are refused', () => {
    const recursive = subgraph('sub', [], [], [{ id: 1, type: 'sub' }]);
    expect(convert(file([recursive], { id: 8, type: 'sub' })).problems).toMatchObject([
      { nodeId: '8:1', type: 'recursive_subgraph', severity: 'error' },
    ]);
    const id = '0fc8ab3a-9c3e-4f43-9d0f-0c1b8f6a9d11';
    const { workflow, problems } = convert(uiFile([{ id: 8, type: id }]));
    expect(workflow).toBeUndefined();
    expect(problems).toMatchObject([{ nodeId: '8', type: 'missing_subgraph', severity: 'error' }]);
  });

  it('that unfold without end are refused before they fill the memory', () => {
    const levels = Array.from({ length: 40 }, (_, level) =>
      subgraph(
        `s${level}`,
        [],
        [],
        [
          { id: 1, type: `s${level + 1}` },
          { id: 2, type: `s${level + 1}` },
        ],
      ),
    );
    expect(
      convert(file([...levels, subgraph('s40', [], [], [])], { id: 1, type: 's0' })).problems,
    ).toMatchObject([{ type: 'too_many_nodes', severity: 'error' }]);
  });
});

describe('proxy widgets', () => {
  const bare = subgraph(
    'sub',
    [['clip', 'CLIP']],
    [[6, 0]],
    [
      { id: 3, type: 'PrimitiveNode', values: [30, 'fixed'] },
      { id: 5, type: 'Encode', values: ['inner {a|b}'], links: { clip: ['in', 0] } },
      {
        id: 6,
        type: 'Sampler',
        values: [7, 'fixed', 20, 8, 'heun'],
        links: { positive: [5, 0], steps: [3, 0] },
      },
    ],
  );
  const proxied = (
    proxyWidgets: unknown,
    values: unknown,
    definitions: readonly object[] = [bare],
    type = 'sub',
  ) =>
    inputsOf(
      file(definitions, checkpoint, {
        id: 8,
        type,
        values,
        properties: { proxyWidgets },
        links: { clip: [1, 1] },
      }),
    );

  it('give their values to the widgets that they name, unchanged', () => {
    expect(
      proxied(
        [
          ['6', 'seed'],
          ['5', 'text'],
          [6, 'cfg'],
        ],
        [99, '{x|y}', 2.5],
      ),
    ).toMatchObject({
      '8:5': { text: '{x|y}' },
      '8:6': { seed: 99, cfg: 2.5, steps: 30 },
    });
  });

  it('leave the inner value for holes and without values', () => {
    expect(
      proxied(
        [
          ['6', 'seed'],
          ['6', 'cfg'],
        ],
        [null, 2],
      )['8:6'],
    ).toMatchObject({ seed: 7, cfg: 2 });
    expect(proxied([['6', 'seed']], undefined)['8:6']).toMatchObject({ seed: 7 });
  });

  it('keep the place of entries without effect', () => {
    const entries = [
      ['6', '$$preview'],
      ['99', 'seed'],
      ['6', 'nothing'],
      ['6', 'control_after_generate'],
      ['6', 'cfg'],
    ];
    expect(proxied(entries, [1, 2, 3, 'fixed', 4])['8:6']).toMatchObject({ seed: 7, cfg: 4 });
  });

  it('write through a primitive into its targets', () => {
    expect(proxied([['3', 'value']], [12])['8:6']).toMatchObject({ steps: 12 });
  });

  it('name an input of the subgraph by -1, or its widget', () => {
    expect(
      proxied(
        [
          ['-1', 'text'],
          ['6', 'seed'],
        ],
        ['top', 5],
        [definition],
      ),
    ).toMatchObject({
      '8:5': { text: 'top' },
      '8:6': { seed: 5 },
    });
  });

  it('reach into nested subgraphs, also by the names of older files', () => {
    const outer = subgraph(
      'outer',
      [['clip', 'CLIP']],
      [],
      [
        {
          id: 10,
          type: 'sub',
          values: [44, 'middle'],
          properties: {
            proxyWidgets: [
              ['6', 'seed'],
              ['5', 'text'],
            ],
          },
          links: { clip: ['in', 0] },
        },
      ],
    );
    const nested = (name: string) => proxied([['10', name]], [1], [bare, outer], 'outer')['8:10:6'];
    expect(nested('seed')).toMatchObject({ seed: 1 });
    expect(nested('10: 6: seed')).toMatchObject({ seed: 1 });
    expect(nested('cfg')).toMatchObject({ seed: 44 });
  });
});

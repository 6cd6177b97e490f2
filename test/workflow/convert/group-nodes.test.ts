import { describe, expect, it } from 'vitest';
import { convert, inputsOf } from '../helpers/converted.js';
import { uiFile } from '../helpers/ui-file.js';

const encode = (index: number, text: string) => ({
  type: 'Encode',
  mode: 0,
  index,
  inputs: [{ name: 'clip', type: 'CLIP', link: null }],
  outputs: [{ name: 'CONDITIONING', type: 'CONDITIONING', links: [] }],
  widgets_values: [text],
});
const checkpoint = { id: 1, type: 'Checkpoint', values: ['a'] };
const file = (stored: object, host: object, prefix = 'workflow>', more: readonly object[] = []) => {
  const ui = uiFile([checkpoint]);
  return {
    ...ui,
    nodes: [...ui.nodes, { id: 8, type: `${prefix}g`, mode: 0, ...host }, ...more],
    links: [
      [1, 1, 1, 8, 0, 'CLIP'],
      [2, 1, 1, 8, 1, 'CLIP'],
      [3, 8, 0, 9, 0, 'CONDITIONING'],
      [4, 8, 1, 9, 1, 'CONDITIONING'],
    ],
    extra: { groupNodes: { g: stored } },
  };
};
const two = {
  nodes: [encode(0, 'one'), encode(1, 'two')],
  links: [
    [null, 1, 0, 0, 9, 'CLIP'],
    [null, 1, 1, 0, 9, 'CLIP'],
  ],
  external: [
    [0, 0, 'CONDITIONING'],
    [1, 0, 'CONDITIONING'],
  ],
};
const clips = [
  { name: 'clip', type: 'CLIP', link: 1 },
  { name: 'Encode clip', type: 'CLIP', link: 2 },
];
const sampler = {
  id: 9,
  type: 'Sampler',
  mode: 0,
  widgets_values: [1, 'fixed'],
  inputs: [{ name: 'positive', type: 'CONDITIONING', link: 4 }],
};

describe('group nodes', () => {
  it.each(['workflow>', 'workflow/'])('unfold to nodes with the index in the id (%s)', (prefix) => {
    const inputs = inputsOf(
      file(two, { inputs: clips, widgets_values: ['own', '{a|b}'] }, prefix, [sampler]),
    );
    expect(inputs).toMatchObject({
      '8:0': { text: 'own', clip: ['1', 1] },
      '8:1': { text: 'a', clip: ['1', 1] },
      '9': { positive: ['8:1', 0] },
    });
  });

  it('keep the stored values where they have none', () => {
    expect(inputsOf(file(two, { inputs: clips }))).toMatchObject({
      '8:0': { text: 'one' },
      '8:1': { text: 'two' },
    });
  });

  it('emit nothing when muted, and pass their inputs by type when bypassed', () => {
    expect(Object.keys(inputsOf(file(two, { inputs: clips, mode: 2 }, 'workflow>', [sampler])))).toEqual([
      '1',
      '9',
    ]);
    const consumer = {
      id: 9,
      type: 'Encode',
      mode: 0,
      widgets_values: ['t'],
      inputs: [{ name: 'clip', type: 'CLIP', link: 3 }],
    };
    const bypassed = file(
      two,
      { inputs: clips, mode: 4, outputs: [{ name: 'o', type: 'CLIP' }] },
      'workflow>',
      [consumer],
    );
    expect(inputsOf(bypassed)['9']).toEqual({ text: 't', clip: ['1', 1] });
  });

  it('have the values of converted widgets last, and none of linked ones', () => {
    const stored = {
      nodes: [
        {
          type: 'Latent',
          widgets_values: [896, 640],
          inputs: [{ name: 'width', type: 'INT', link: null, widget: { name: 'width' } }],
        },
        { type: 'PrimitiveNode', outputs: [{ name: 'INT', type: 'INT' }] },
        {
          type: 'Sampler',
          widgets_values: [5, 'fixed', 20, 8, 'heun'],
          inputs: [
            { name: 'latent', type: 'LATENT', link: null },
            { name: 'seed', type: 'INT', link: null, widget: { name: 'seed' } },
          ],
        },
      ],
      links: [
        [0, 0, 2, 0, 6, 'LATENT'],
        [1, 0, 2, 1, 7, 'INT'],
      ],
    };
    const host = { inputs: [], widgets_values: [480, 77, 'randomize', 30, 7, 'euler', 512] };
    expect(inputsOf(file(stored, host))).toMatchObject({
      '8:0': { width: 512, height: 480 },
      '8:2': { seed: 77, steps: 30, cfg: 7, sampler_name: 'euler', latent: ['8:0', 0] },
    });
    const linked = { ...host, inputs: [{ name: 'width', type: 'INT', link: 1, widget: { name: 'width' } }] };
    expect(inputsOf(file(stored, linked))['8:0']).toEqual({ width: ['1', 1], height: 480 });
  });

  it('leave out hidden widgets, and name inputs as the group says', () => {
    const stored = {
      ...two,
      config: { 0: { input: { text: { visible: false }, clip: { name: 'first' } } } },
    };
    const host = { inputs: [{ name: 'first', type: 'CLIP', link: 1 }], widgets_values: ['only'] };
    expect(inputsOf(file(stored, host))).toMatchObject({
      '8:0': { text: 'one', clip: ['1', 1] },
      '8:1': { text: 'only' },
    });
  });

  it('pass a reroute at the border, which is named by its type', () => {
    const stored = {
      nodes: [{ type: 'Reroute', inputs: [{ name: '', type: '*', link: null }] }, encode(1, 't')],
      links: [
        [null, 1, 0, 0, 9, 'CLIP'],
        [0, 0, 1, 0, 10, 'CLIP'],
      ],
    };
    expect(
      inputsOf(file(stored, { inputs: [{ name: 'CLIP', type: 'CLIP', link: 1 }] }))['8:1'],
    ).toMatchObject({ clip: ['1', 1] });
  });

  it('keep the rest of a definition whose links and outputs are objects without a text', () => {
    const odd = { toString: 1, valueOf: 1 };
    const stored = { nodes: [encode(0, 'one')], links: [[odd, odd, odd, odd]], external: [[odd, odd]] };
    expect(inputsOf(file(stored, { inputs: [{ name: 'clip', type: 'CLIP', link: 1 }] }))).toMatchObject({
      '8:0': { text: 'one', clip: ['1', 1] },
    });
  });

  it('inside others are refused, as no editor makes them', () => {
    const ui = file({ nodes: [{ type: 'workflow>two' }], links: [] }, { inputs: [] });
    expect(convert(ui)).not.toHaveProperty('workflow');
    expect(convert(ui).problems).toMatchObject([
      { nodeId: '8:0', type: 'nested_group_node', severity: 'error' },
    ]);
  });

  it('that the file does not define are refused', () => {
    const ui = { ...file(two, { inputs: clips }), extra: {} };
    expect(convert(ui).problems).toMatchObject([
      { nodeId: '8', type: 'missing_group_node', severity: 'error' },
    ]);
  });
});

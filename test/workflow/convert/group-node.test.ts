import { describe, expect, it } from 'vitest';
import { asSubgraph } from '../../../src/workflow/convert/group-node.js';
import { definitions } from '../helpers/node-definitions.js';
import { newContext } from '../../../src/workflow/convert/new-context.js';

const contextOf = (raw: object = {}) => newContext(raw as never, definitions, {}, () => undefined);
const group = (stored: object) => asSubgraph(contextOf(), stored as never);

const encode = (more: object = {}) => ({
  ...{
    type: 'Encode',
    inputs: [{ name: 'clip', type: 'CLIP' }],
    outputs: [{ name: 'C', type: 'CONDITIONING' }],
  },
  ...more,
});
const latent = { type: 'Latent', outputs: [{ name: 'L', type: 'LATENT' }] };

describe('a group node as a subgraph', () => {
  it('has the outputs that no link inside takes, or that are used outside, or as it is set', () => {
    const decode = {
      type: 'Decode',
      inputs: [{ name: 'samples', type: 'LATENT' }],
      outputs: [{ type: 'IMAGE' }],
    };
    const links = [[0, 0, 1, 0, 1, 'LATENT']];
    const outputsOf = (more: object) => group({ nodes: [latent, decode], links, ...more })['outputs'];
    expect(outputsOf({})).toEqual([{ type: 'IMAGE' }]);
    expect(outputsOf({ external: [[0, 0, 'LATENT']] })).toEqual([{ type: 'LATENT' }, { type: 'IMAGE' }]);
    expect(outputsOf({ config: { 0: { output: { 0: { visible: true } } } } })).toEqual([
      { type: 'LATENT' },
      { type: 'IMAGE' },
    ]);
    expect(outputsOf({ config: { 1: { output: { 0: { visible: false } } } } })).toEqual([]);
    expect(outputsOf({ config: { 1: { output: { 0: { visible: 'no' } } } } })).toEqual([{ type: 'IMAGE' }]);
    expect(group({ nodes: [latent], links: [] })['links']).toContainEqual([0, 0, 0, '-20', 0]);
  });

  it('has inputs by what it calls them, by their labels or their names', () => {
    const nodes = [encode(), encode({ inputs: [{ name: 'clip', type: 'CLIP', label: 'own' }] }), encode()];
    const config = { 0: { input: { clip: { name: 'first' }, text: { name: '' } } } };
    const inputs = group({ nodes, links: [], config })['inputs'] as readonly { readonly name: string }[];
    expect(inputs.map(({ name }) => name)).toEqual([
      'text',
      'first',
      'Encode text',
      'own',
      'Encode 2 text',
      'clip',
    ]);
  });

  it('has an entry for each widget, and leaves out what is hidden', () => {
    const config = { 0: { input: { width: { visible: false } } } };
    const { entries, visibleEntries } = group({ nodes: [latent, encode()], links: [], config });
    expect(entries).toEqual([
      ['0', 'width'],
      ['0', 'height'],
      ['1', 'text'],
    ]);
    expect(visibleEntries).toEqual([
      ['0', 'height'],
      ['1', 'text'],
    ]);
  });

  it('keeps the first of two links into a socket, and no link without both ends', () => {
    const links = [
      [0, 0, 1, 0, 1, 'CLIP'],
      [2, 0, 1, 0, 2, 'CLIP'],
      [null, 1, 1, 0, 9, 'CLIP'],
    ];
    const made = group({ nodes: [encode(), encode(), encode()], links });
    const nodes = made['nodes'] as readonly { readonly inputs: readonly { readonly link?: unknown }[] }[];
    expect(nodes.map(({ inputs }) => inputs[0]?.link)).toEqual([expect.any(Number), 0, expect.any(Number)]);
    expect((made['links'] as readonly unknown[]).slice(0, 2)).toEqual([
      [0, 0, 0, 1, 0, 1, 'CLIP'],
      [1, 2, 0, 1, 0, 2, 'CLIP'],
    ]);
  });

  it('leaves nodes alone that nothing can be read of, or that only the editor has', () => {
    const made = group({ nodes: [null, { type: 'Note', widgets_values: ['x'] }, encode()], links: [] });
    expect(made['entries']).toEqual([['2', 'text']]);
    expect(made['inputs']).toHaveLength(2);
  });
});

describe('the definitions of a file', () => {
  it('are those of subgraphs, also inside of others, the first of each id', () => {
    const inner = { id: 'inner', nodes: [] };
    const outer = { id: 'outer', nodes: [], definitions: { subgraphs: [inner] } };
    const { definitionOf } = contextOf({
      definitions: { subgraphs: [outer, { id: 'outer', nodes: [1] }, { id: '' }, {}, null] },
    });
    expect([
      definitionOf('outer'),
      definitionOf('inner'),
      definitionOf(''),
      definitionOf('undefined'),
    ]).toEqual([...[outer, inner, undefined, undefined]]);
  });

  it('are those of group nodes, by names of any kind', () => {
    const { definitionOf } = contextOf({
      extra: {
        groupNodes: { 'a\nb': { nodes: [encode()], links: [] }, broken: 5, undefined: { nodes: [] } },
      },
    });
    expect([definitionOf('workflow>a\nb'), definitionOf('workflow/a\nb')]).toMatchObject([
      { entries: [['0', 'text']] },
      {},
    ]);
    for (const type of [
      'workflow>broken',
      'workflow>none',
      'my workflow>a\nb',
      'a\nb',
      'undefined',
      'workflow>toString',
    ])
      expect([type, definitionOf(type)]).toEqual([type, undefined]);
  });
});

import { describe, expect, it } from 'vitest';
import { convert, inputsOf } from '../helpers/converted.js';
import { type Sketch, uiFile } from '../helpers/ui-file.js';

const image: Sketch = { id: 1, type: 'LoadImage', values: ['a.png', 'red', 'image'] };
const save = (origin: number | string, slot = 0): Sketch => ({
  id: 'save',
  type: 'SaveImage',
  values: ['x'],
  links: { images: [origin, slot] },
});
const imagesOf = (...sketches: readonly Sketch[]) => inputsOf(uiFile(sketches))['save']?.['images'];
const reroute = (id: number, origin: number, mode = 0): Sketch => ({
  id,
  type: 'Reroute',
  mode,
  outputs: [{ name: '', type: 'IMAGE' }],
  links: { '': [origin, 0] },
});

describe('links', () => {
  it('go by the id in the socket, whatever slot the list of links names', () => {
    const file = uiFile([image, save(1)]);
    const stale = file.links.map((link) => [...link.slice(0, 2), '1', link[3], 7, -1]);
    expect(inputsOf({ ...file, links: [null, ...stale] })['save']).toEqual({
      filename_prefix: 'x',
      images: ['1', 1],
    });
  });

  it('may be objects in a file of any version', () => {
    const file = uiFile([image, save(1)]);
    const links = file.links.map(([id, origin_id, origin_slot, target_id, target_slot, type]) => ({
      id,
      origin_id,
      origin_slot,
      target_id,
      target_slot,
      type,
    }));
    expect(inputsOf({ ...file, version: 1, links })['save']).toMatchObject({ images: ['1', 0] });
    const bare = { nodes: file.nodes, links: file.links };
    expect(inputsOf(bare)['save']).toMatchObject({ images: ['1', 0] });
  });

  it('pass reroutes of the editor and of packs', () => {
    expect(imagesOf(image, reroute(2, 1), reroute(3, 2), save(3))).toEqual(['1', 0]);
    expect(imagesOf(image, { ...reroute(2, 1), type: 'Reroute (rgthree)' }, save(2))).toEqual(['1', 0]);
    expect(
      imagesOf({ id: 2, type: 'Reroute', inputs: [{ name: '', type: '*', link: null }] }, save(2)),
    ).toBeUndefined();
  });

  it('bring nothing from a muted source, also behind or in a reroute', () => {
    expect(imagesOf({ ...image, mode: 2 }, save(1))).toBeUndefined();
    expect(imagesOf({ ...image, mode: 2 }, reroute(2, 1), save(2))).toBeUndefined();
    expect(imagesOf(image, reroute(2, 1, 2), save(2))).toBeUndefined();
    expect(imagesOf(image, reroute(2, 1, 4), save(2))).toEqual(['1', 0]);
  });

  it('leave the value of a widget whose source is muted', () => {
    const file = uiFile([
      { id: 1, type: 'Int', values: [5], mode: 2 },
      { id: 2, type: 'Latent', values: [640, 480], links: { width: [1, 0] } },
    ]);
    expect(inputsOf(file)).toEqual({ '2': { width: 640, height: 480 } });
  });

  it('run on modes 1 and 3', () => {
    expect(imagesOf({ ...image, mode: 1 }, { ...save(1), mode: 3 })).toEqual(['1', 0]);
  });

  it('pass Set and Get nodes of the same name', () => {
    const set: Sketch = { id: 2, type: 'SetNode', values: ['pic'], links: { IMAGE: [1, 0] } };
    const get: Sketch = { id: 3, type: 'GetNode', values: ['pic'] };
    expect(imagesOf(image, set, get, save(3))).toEqual(['1', 0]);
    expect(imagesOf(image, set, save(2))).toEqual(['1', 0]);
    expect(imagesOf(image, { ...set, mode: 2 }, get, save(3))).toBeUndefined();
    expect(convert(uiFile([image, get, save(3)]))).toMatchObject({
      problems: [{ nodeId: 'save', input: 'images', type: 'missing_source', severity: 'error' }],
    });
  });

  it('P3: take the first of two Set nodes of one name, and say so', () => {
    const set = (id: number, mode = 0): Sketch => {
      return { id, type: 'SetNode', values: ['pic'], mode, links: { IMAGE: [1, 0] } };
    };
    const get: Sketch = { id: 9, type: 'GetNode', values: ['pic'] };
    const { workflow, problems } = convert(uiFile([image, set(2), set(5), get, save(9)]));
    expect(workflow?.['save']?.inputs).toMatchObject({ images: ['1', 0] });
    expect(problems).toMatchObject([{ nodeId: '5', type: 'duplicate_set_node', severity: 'warning' }]);
    expect(problems[0]?.message).toContain('has the name "pic" of node 2: Get nodes of that name take what');
    expect(convert(uiFile([image, set(2, 2), set(5), get, save(9)])).problems[0]?.message).toContain(
      'take nothing, as that one is muted',
    );
    const other = { ...set(5), values: ['other'] };
    expect(convert(uiFile([image, set(2), other, get, save(9)])).problems).toEqual([]);
  });

  it('run in a circle only as far as a problem', () => {
    const { workflow, problems } = convert(uiFile([reroute(2, 3), reroute(3, 2), save(2)]));
    expect(workflow).toBeUndefined();
    expect(problems).toMatchObject([{ nodeId: 'save', type: 'link_cycle', severity: 'error' }]);
  });

  it('lead to an error where the file lacks the link or its origin', () => {
    const file = uiFile([image, save(1)]);
    expect(convert({ ...file, links: [] }).problems).toMatchObject([
      { nodeId: 'save', type: 'missing_source' },
    ]);
    expect(convert({ ...file, links: [[1, 99, 0, 'save', 0, 'IMAGE']] }).problems).toMatchObject([
      { nodeId: 'save', input: 'images', type: 'missing_source', severity: 'error' },
    ]);
    expect(convert({ ...file, links: [[1, 1, 'first', 'save', 0, 'IMAGE']] }).workflow).toBeUndefined();
  });

  it('may have slots and ids that are text, and gaps in a list without a version', () => {
    const { links, ...file } = uiFile([image, save(1, 1)]);
    const [[id, , , target]] = links as unknown as [[number, number, number, string]];
    const texts = [null, [String(id), '1', '1', target, '0', -1]];
    const ui = { nodes: file.nodes, links: texts };
    expect(inputsOf(ui)).toMatchObject({ save: { images: ['1', 1] } });
  });

  it('lead to an error, and break nothing, where a slot or a name is an object without a text', () => {
    const odd = { toString: 1, valueOf: 1 };
    const file = uiFile([image, save(1), { id: 2, type: 'GetNode', values: [odd] }, { ...save(2), id: 3 }]);
    const [, second] = file.links as unknown as [unknown, unknown];
    const { problems } = convert({ ...file, links: [[1, 1, odd, 'save', odd, 'IMAGE'], second] });
    expect(problems).toMatchObject([
      { nodeId: 'save', type: 'missing_source' },
      { nodeId: '3', type: 'missing_source' },
    ]);
  });

  it('pass a bypassed Set node, and bring nothing through a muted one, also from around a subgraph', () => {
    const through = (mode: number) => [
      image,
      { id: 2, type: 'SetNode', values: ['name'], mode, links: { IMAGE: [1, 0] } } as Sketch,
      { id: 3, type: 'GetNode', values: ['name'] },
      save(3),
    ];
    expect(imagesOf(...through(4))).toEqual(['1', 0]);
    expect(imagesOf(...through(2))).toBeUndefined();
  });

  it('warn where a link of the list stands in no socket of its target', () => {
    const file = uiFile([image, { id: 'save', type: 'SaveImage', values: ['x'] }]);
    const { workflow, problems } = convert({ ...file, links: [[1, 1, 0, 'save', 0, 'IMAGE']] });
    expect(workflow?.['save']?.inputs).toEqual({ filename_prefix: 'x' });
    expect(problems).toMatchObject([{ nodeId: 'save', type: 'unused_link', severity: 'warning' }]);
  });
});

describe('bypassed nodes', () => {
  const mask: Sketch = { ...image, id: 7 };
  const swap = (links: Sketch['links'], mode = 4): Sketch => ({
    id: 9,
    type: 'Swap',
    values: [1],
    mode,
    links,
  });

  it('pass the input of the same index where it fits', () => {
    expect(imagesOf(image, swap({ a: [1, 0], c: [1, 1] }), save(9, 2))).toEqual(['1', 1]);
  });

  it('else pass the first input of exactly the wanted type, linked or not', () => {
    expect(imagesOf(image, mask, swap({ a: [1, 0], b: [7, 1], c: [7, 0] }), save(9, 1))).toEqual(['1', 0]);
    expect(imagesOf(image, swap({ c: [1, 0] }), save(9, 1))).toBeUndefined();
  });

  it('pass the input of the same index to what takes anything, else the first', () => {
    const any = (slot: number): Sketch => ({
      id: 'any',
      type: 'Mixed',
      values: [1],
      links: { any: [9, slot] },
    });
    const anyOf = (slot: number) =>
      inputsOf(uiFile([image, mask, swap({ a: [1, 0], b: [7, 1] }), any(slot)]))['any']?.['any'];
    expect(anyOf(1)).toEqual(['7', 1]);
    expect(anyOf(8)).toEqual(['1', 0]);
  });

  it('count sockets of widgets by their place in the definition, also where the file leaves them out', () => {
    const file = uiFile([
      { id: 1, type: 'Int', values: [5] },
      { id: 9, type: 'Swap', values: [1], mode: 4, links: { n: [1, 0] } },
      { id: 2, type: 'Latent', values: [640, 480], links: { width: [9, 3] } },
    ]);
    expect(inputsOf(file)['2']).toMatchObject({ width: ['1', 0] });
    const exported = {
      ...file,
      nodes: file.nodes.map((node) => ({ ...node, inputs: node.inputs.filter(({ link }) => link !== null) })),
    };
    expect(inputsOf(exported)['2']).toMatchObject({ width: ['1', 0] });
  });

  it('match lists of types by a common member', () => {
    const file = uiFile([
      { id: 1, type: 'Int', values: [5] },
      { id: 9, type: 'Many', mode: 4, links: { v: [1, 0] } },
      { id: 2, type: 'Many', links: { v: [9, 0] } },
    ]);
    expect(inputsOf(file)['2']).toEqual({ v: ['1', 0] });
  });

  it('go by the types in the file where the definition leaves them open', () => {
    const match = (type: string): Sketch => ({
      id: 9,
      type: 'Match',
      values: [true],
      mode: 4,
      inputs: [
        { name: 'x', type, link: 1 },
        { name: 'y', type, link: null },
      ],
      outputs: [{ name: 'out', type }],
    });
    const through = (type: string) => {
      const file = uiFile([image, match(type), save(9)]);
      const links = [
        [1, 1, 0, 9, 0, type],
        [2, 9, 0, 'save', 0, type],
      ];
      const nodes = file.nodes.map((node) =>
        node.id === 'save' ? { ...node, inputs: [{ name: 'images', type: 'IMAGE', link: 2 }] } : node,
      );
      return inputsOf({ ...file, nodes, links })['save']?.['images'];
    };
    expect(through('IMAGE')).toEqual(['1', 0]);
    expect(through('MASK')).toBeUndefined();
  });

  it('pass on what the file says of a class that the definitions lack', () => {
    const unknown: Sketch = {
      id: 9,
      type: 'Unknown',
      mode: 4,
      outputs: [{ name: 'o', type: 'IMAGE' }],
      links: { pic: [1, 0] },
    };
    expect(imagesOf(image, unknown, save(9))).toEqual(['1', 0]);
  });
});

describe('primitive nodes', () => {
  const primitive = (value: unknown, more: Partial<Sketch> = {}): Sketch => ({
    id: 1,
    type: 'PrimitiveNode',
    values: [value, 'randomize'],
    ...more,
  });
  const latent = (origin: number): Sketch => ({
    id: 2,
    type: 'Latent',
    values: [640, 480],
    links: { width: [origin, 0] },
  });

  it.each([0, 2, 4])('write their value into the widgets that they feed, in mode %i', (mode) => {
    expect(inputsOf(uiFile([primitive(72, { mode }), latent(1)]))).toEqual({
      '2': { width: 72, height: 480 },
    });
  });

  it('round what they write as the widget does', () => {
    expect(inputsOf(uiFile([primitive(75), latent(1)]))['2']).toMatchObject({ width: 72 });
    const sampler: Sketch = {
      id: 2,
      type: 'Sampler',
      values: [1, 'fixed', 2, 3, 'heun'],
      links: { cfg: [1, 0] },
    };
    expect(inputsOf(uiFile([primitive(0.7000000000000001), sampler]))['2']).toMatchObject({ cfg: 0.7 });
    expect(inputsOf(uiFile([primitive(170), sampler]))['2']).toMatchObject({ cfg: 100 });
  });

  it('write nothing through a reroute, without a value, or where there is no widget', () => {
    expect(inputsOf(uiFile([primitive(72), reroute(3, 1), latent(3)]))['2']).toMatchObject({ width: 640 });
    expect(inputsOf(uiFile([{ id: 1, type: 'PrimitiveNode' }, latent(1)]))['2']).toMatchObject({
      width: 640,
    });
    expect(inputsOf(uiFile([primitive(1), save(1)]))).toEqual({ save: { filename_prefix: 'x' } });
    expect(inputsOf(uiFile([primitive(1)]))).toEqual({});
  });
});

describe('nodes that only the editor has', () => {
  it.each([
    'Note',
    'MarkdownNote',
    'Fast Groups Muter (rgthree)',
    'Fast Bypasser (rgthree)',
    'Label (rgthree)',
    'Bookmark (rgthree)',
    'Fast Actions Button (rgthree)',
  ])('drops %s', (type) => {
    expect(convert(uiFile([{ id: 1, type, values: ['text'] }]))).toMatchObject({
      workflow: {},
      problems: [],
    });
  });

  it.each([
    ['Anything Everywhere', 'links_made_by_editor'],
    ['Prompts Everywhere', 'links_made_by_editor'],
    ['PresetText|pysssss', 'values_made_by_editor'],
  ])('refuses %s, unless it is muted', (type, problem) => {
    const node = { id: 1, type };
    expect(convert(uiFile([node]))).not.toHaveProperty('workflow');
    expect(convert(uiFile([node])).problems).toMatchObject([
      { nodeId: '1', type: problem, severity: 'error' },
    ]);
    expect(convert(uiFile([{ ...node, mode: 2 }]))).toMatchObject({ workflow: {}, problems: [] });
  });
});

import { convert, inputsOf } from '../helpers/converted.js';
import { describe, expect, it } from 'vitest';
import { toApiWorkflow, type NodeDefinitions } from '../../../src/workflow.js';

const known: NodeDefinitions = {
  Video: {
    input: { required: { images: ['IMAGE'], frame_rate: ['FLOAT', { default: 8 }], format: [['a', 'b']] } },
    output: [],
    output_node: true,
  },
  'Power Lora Loader (rgthree)': {
    input: { required: {}, optional: { model: ['MODEL'], clip: ['CLIP'] } },
    output: ['MODEL', 'CLIP'],
  },
  Seeded: {
    input: { required: { seed: ['INT', {}], steps: ['INT', {}], label: ['STRING', {}] } },
    output: ['INT'],
  },
  Model: { input: { required: {} }, output: ['MODEL', 'CLIP'] },
};
const node = (id: number, type: string, more: object = {}) => ({ id, type, mode: 0, ...more });
const file = (nodes: readonly object[], links: readonly unknown[] = [], extra: object = {}) => ({
  nodes,
  links,
  extra,
  version: 0.4,
});
const look = (ui: ReturnType<typeof file>, options = {}) => toApiWorkflow(ui, known, options);

describe('nodes of packs', () => {
  it('P3: sends values by name that the definition lacks, but no preview', () => {
    const widgets_values = {
      ...{ frame_rate: 24, format: 'b', crf: 19, pix_fmt: 'yuv420p', save_metadata: true },
      ...{ videopreview: { hidden: false }, 'choose video to upload': 'image', upload: 'image' },
    };
    const sent = { frame_rate: 24, format: 'b', crf: 19, pix_fmt: 'yuv420p', save_metadata: true };
    const ui = file([node(1, 'Video', { widgets_values })]);
    expect(look(ui).workflow?.['1']?.inputs).toEqual(sent);
    expect(toApiWorkflow(ui).workflow?.['1']?.inputs).toEqual(sent);
  });

  it('P3: converts the rows of a Power Lora Loader, with and without definitions', () => {
    const row = (lora: string, strengthTwo: number | null) => ({
      on: true,
      lora,
      strength: 0.5,
      strengthTwo,
    });
    const widgets_values = [
      {},
      { type: 'PowerLoraLoaderHeaderWidget' },
      row('a', null),
      row('b', 0.25),
      {},
      '',
    ];
    const loader = (more: object) =>
      file([node(1, 'Power Lora Loader (rgthree)', { widgets_values, ...more })]);
    const one = (lora: string) => ({ on: true, lora, strength: 0.5 });
    for (const { workflow, problems } of [look(loader({})), toApiWorkflow(loader({}))]) {
      expect(workflow?.['1']?.inputs).toEqual({ lora_1: one('a'), lora_2: one('b') });
      expect(problems.filter(({ type }) => type !== 'guessed_names')).toEqual([]);
    }
    const properties = { 'Show Strengths': 'Separate Model & Clip' };
    expect(look(loader({ properties })).workflow?.['1']?.inputs).toEqual({
      lora_1: row('a', 1),
      lora_2: row('b', 0.25),
    });
    const byName = { header: widgets_values[1], lora_1: row('a', null), lora_2: row('b', 0.25) };
    expect(look(loader({ widgets_values: byName })).workflow?.['1']?.inputs).toEqual({
      lora_1: one('a'),
      lora_2: one('b'),
    });
    const odd = file([node(1, 'Power Lora Loader (rgthree)', { widgets_values: ['odd'] })]);
    expect(look(odd).problems).toMatchObject([{ type: 'unused_values' }]);
  });

  it('P3: takes the links that "Use Everywhere" saved, and says what it does not take', () => {
    const loader = node(2, 'Power Lora Loader (rgthree)', {
      inputs: [
        { name: 'model', type: 'MODEL', link: null },
        { name: 'clip', type: 'CLIP', link: null },
      ],
    });
    const sender = node(3, 'Anything Everywhere', { inputs: [{ name: 'MODEL', type: '*', link: 7 }] });
    const links = [[7, 1, 0, 3, 0, 'MODEL']];
    const made = [
      { downstream: 2, downstream_slot: 0, upstream: '1', upstream_slot: 0, controller: 3, type: 'MODEL' },
    ];
    const ui = (extra: object) => file([node(1, 'Model'), loader, sender], links, extra);
    const { workflow, problems } = look(ui({ ue_links: made }));
    expect(workflow?.['2']?.inputs).toEqual({ model: ['1', 0] });
    expect(problems).toEqual([]);
    expect(look(ui({})).problems).toMatchObject([{ type: 'links_made_by_editor', severity: 'error' }]);
    expect(look(ui({ ue_links: [] })).problems).toMatchObject([{ type: 'unused_link', severity: 'warning' }]);
    expect(look(ui({ ue_links: [...made, { ...made[0], upstream: 9 }] })).problems).toMatchObject([
      { type: 'unused_link', nodeId: '2' },
    ]);
  });

  it('P3: takes Seed Everywhere for the class that it is, where the file has the links that it makes', () => {
    const ui = (extra: object) => file([node(1, 'Seed Everywhere')], [], extra);
    expect(look(ui({ ue_links: [] }))).toMatchObject({ workflow: { 1: { class_type: 'Seed Everywhere' } } });
    expect(look(ui({})).problems).toContainEqual(
      expect.objectContaining({ nodeId: '1', type: 'links_made_by_editor', severity: 'error' }),
    );
    expect(look(ui({}))).not.toHaveProperty('workflow');
  });

  it.each([
    ...['Fast Node Muter (rgthree)', 'Power Conductor (rgthree)', 'Label (rgthree)', 'easy bookmark'],
    ...['Note+ (mtb)', 'Fast Groups Bypasser (rgthree)', 'MarkdownNote'],
  ])('P3: leaves out %s, also two of one id', (type) => {
    const { workflow, problems } = look(file([node(1, 'Model'), node(5, type), node(5, type)]));
    expect(Object.keys(workflow ?? {})).toEqual(['1']);
    expect(problems).toEqual([]);
    expect(Object.keys(look(file([node(5, type), node(5, 'Model')])).workflow ?? {})).toEqual(['5']);
  });

  it('P3: treats nodes as the caller says', () => {
    const ui = file(
      [
        node(1, 'Model'),
        node(2, 'my/Wire', { inputs: [{ name: '', type: '*', link: 1 }], outputs: [{ type: '*' }] }),
        node(3, 'Power Lora Loader (rgthree)', { inputs: [{ name: 'model', type: 'MODEL', link: 2 }] }),
        node(4, 'my/Sticker'),
      ],
      [
        [1, 1, 0, 2, 0, '*'],
        [2, 2, 0, 3, 0, 'MODEL'],
      ],
    );
    const { workflow, problems } = look(ui, {
      virtualNodes: { 'my/Wire': 'reroute', 'my/Sticker': 'drop' },
    });
    expect(workflow?.['3']?.inputs).toEqual({ model: ['1', 0] });
    expect([Object.keys(workflow ?? {}), problems]).toEqual([['1', '3'], []]);
  });

  it('P3: says that an input takes nothing from a node which only the editor has', () => {
    const loader = node(3, 'Power Lora Loader (rgthree)', {
      inputs: [{ name: 'model', type: 'MODEL', link: 2 }],
    });
    const ui = (type: string) => file([node(2, type), loader], [[2, 2, 0, 3, 0, 'MODEL']]);
    expect(look(ui('Note')).problems).toMatchObject([{ nodeId: '3', input: 'model', type: 'unused_link' }]);
    expect(look(ui('PresetText|pysssss')).problems).toMatchObject([
      { type: 'values_made_by_editor', severity: 'error' },
      { type: 'unused_link' },
    ]);
  });

  it('P3: misses a control word only where the list is shorter for it, and later values move', () => {
    const types = (widgets_values: unknown) =>
      look(file([node(1, 'Seeded', { widgets_values })])).problems.map(({ type }) => type);
    expect(types([1, 20, 'a'])).toEqual(['missing_control']);
    expect(types([1, 'Randomize', 20, 'a'])).toEqual([]);
    expect(types([1, '', 20, 'a'])).toEqual([]);
  });
});

describe('group nodes of later editors', () => {
  const sampler = {
    type: 'Sampler',
    widgets_values: [5, 'fixed', 20, 8, 'heun'],
    inputs: [],
  };
  const grouped = (
    stored: object,
    host: object,
    more: readonly object[] = [],
    links: readonly unknown[] = [],
  ) => ({
    ...file([node(8, 'workflow>g', host), ...more], links),
    extra: { groupNodes: { g: stored } },
  });

  it('P3: keep the values of hidden widgets, which have a place as well', () => {
    const stored = { nodes: [sampler], links: [], config: { 0: { input: { steps: { visible: false } } } } };
    const values = (widgets_values: readonly unknown[]) =>
      inputsOf(grouped(stored, { widgets_values }))['8:0'];
    const all = { seed: 7, steps: 30, cfg: 9, sampler_name: 'euler' };
    expect(values([7, 'randomize', 30, 9, 'euler'])).toEqual(all);
    expect(values([7, 'randomize', 9, 'euler'])).toEqual({ ...all, steps: 20 });
  });

  it('P3: say what they hold beyond their widgets', () => {
    const host = { widgets_values: [7, 'randomize', 30, 9, 'euler', 'lost'] };
    expect(convert(grouped({ nodes: [sampler], links: [] }, host)).problems).toMatchObject([
      { nodeId: '8', type: 'unused_values' },
    ]);
  });

  it('P3: keep the link of a reroute at the border, whatever its input is called', () => {
    const stored = {
      nodes: [
        { type: 'Reroute', inputs: [{ name: '', type: '*', link: null }], outputs: [{ type: 'CLIP' }] },
        { type: 'Encode', inputs: [{ name: 'clip', type: 'CLIP', link: 1 }], widgets_values: ['t'] },
      ],
      links: [[0, 0, 1, 0, 1, '*']],
    };
    const host = { inputs: [{ name: 'CLIP', type: 'CLIP', link: 1 }], widgets_values: ['t'] };
    const ui = grouped(
      stored,
      host,
      [node(1, 'Checkpoint', { widgets_values: ['a'] })],
      [[1, 1, 1, 8, 0, 'CLIP']],
    );
    expect(inputsOf(ui)['8:1']).toEqual({ clip: ['1', 1], text: 't' });
  });

  it('P3: order converted widgets by the index of their socket as a text', () => {
    const names = Array.from({ length: 12 }, (_, at) => `w${at}`);
    const definitions = {
      Many: {
        input: { required: Object.fromEntries(names.map((name) => [name, ['INT', {}]])) },
        output: [],
        output_node: true,
      },
    };
    const inputs = names.map((name) => ({ name, type: 'INT', link: null, widget: { name } }));
    const stored = { nodes: [{ type: 'Many', inputs, widgets_values: names.map(() => 0) }], links: [] };
    const order = names.map((_, at) => at).toSorted((one, other) => (String(one) < String(other) ? -1 : 1));
    const { workflow } = toApiWorkflow(grouped(stored, { widgets_values: order }), definitions);
    expect(workflow?.['8:0']?.inputs).toEqual(Object.fromEntries(names.map((name, at) => [name, at])));
  });

  const sends = { input: { required: { value: ['MODEL'] } }, output: ['MODEL'], output_node: true };
  const more: NodeDefinitions = { ...known, Takes: sends };
  const uuid = '0c4a8c1e-6c53-4c3b-8d0a-0d9f4c0e8d11';
  const model = { name: 'value', type: 'MODEL', link: null };
  /** A subgraph 8 with the node 5, and a model 2 beside it. */
  const nested = (options: { inner?: object; root?: readonly object[]; nodes?: readonly object[] }) => ({
    ...file(
      [node(2, 'Model', { outputs: [{ name: 'MODEL', type: 'MODEL' }] }), node(8, uuid, { inputs: [] })],
      [],
      { ue_links: options.root ?? [] },
    ),
    definitions: {
      subgraphs: [
        {
          ...{ id: uuid, name: 'sub', inputs: [], outputs: [], links: [], extra: {} },
          nodes: options.nodes ?? [node(5, 'Takes', { inputs: [model] })],
          ...options.inner,
        },
      ],
    },
  });
  const everywhere = (upstream: unknown, downstream: unknown) => ({
    ...{ upstream, upstream_slot: 0, downstream, downstream_slot: 0, controller: 3, type: 'MODEL' },
  });

  it('P3: resolves saved links of "Use Everywhere" by paths into subgraphs, and over their borders', () => {
    const into = toApiWorkflow(nested({ root: [everywhere('2', '8:5')] }), more);
    expect([into.workflow?.['8:5']?.inputs, into.problems]).toEqual([{ value: ['2', 0] }, []]);
    const two = [node(4, 'Model'), node(5, 'Takes', { inputs: [model] })];
    const inside = toApiWorkflow(nested({ root: [everywhere('8:4', '8:5')], nodes: two }), more);
    expect(inside.workflow?.['8:5']?.inputs).toEqual({ value: ['8:4', 0] });
    const gone = toApiWorkflow(nested({ root: [everywhere('9:4', '8:5')] }), more);
    expect(gone.problems).toMatchObject([{ type: 'missing_source', nodeId: '8:5', input: 'value' }]);
    // A target that the file lacks: of a node, of an instance, and of an input.
    for (const end of [everywhere('2', '8:6'), everywhere('2', '9:5'), everywhere('2', '8:5:1')])
      expect(toApiWorkflow(nested({ root: [end] }), more).problems).toMatchObject([
        { type: 'unused_link', nodeId: end.downstream, severity: 'warning' },
      ]);
    const slot = { ...everywhere('2', '8:5'), downstream_slot: 4 };
    expect(toApiWorkflow(nested({ root: [slot] }), more).problems).toMatchObject([{ type: 'unused_link' }]);
  });

  it('P3: takes the borders of a subgraph for ends of such links', () => {
    const slots = [{ name: 'model', type: 'MODEL', linkIds: [] }];
    const inner = {
      inputs: slots,
      outputs: slots,
      extra: { ue_links: [everywhere(-10, 5), everywhere(5, -20)] },
    };
    const ui = nested({ inner });
    const linked = {
      ...ui,
      nodes: [
        ui.nodes[0],
        node(8, uuid, { inputs: [{ name: 'model', type: 'MODEL', link: 1 }] }),
        node(9, 'Takes', { inputs: [{ ...model, link: 2 }] }),
      ],
      links: [
        [1, 2, 0, 8, 0, 'MODEL'],
        [2, 8, 0, 9, 0, 'MODEL'],
      ],
    };
    const { workflow, problems } = toApiWorkflow(linked, more);
    expect([workflow?.['8:5']?.inputs, workflow?.['9']?.inputs, problems]).toEqual([
      { value: ['2', 0] },
      { value: ['8:5', 0] },
      [],
    ]);
  });

  it('P3: tells of a value, a link and an id that has no effect', () => {
    const told = (ui: Parameters<typeof toApiWorkflow>[0]) => {
      const { workflow, problems } = toApiWorkflow(ui, more);
      return [
        workflow !== undefined,
        ...problems.map(({ nodeId, type, severity }) => [nodeId, type, severity]),
      ];
    };
    const primitive = node(6, 'PrimitiveNode', { widgets_values: [7, 'fixed'] });
    expect(told(file([primitive]))).toEqual([true, ['6', 'unused_values', 'warning']]);
    expect(told(file([node(6, 'PrimitiveNode')]))).toEqual([true]);
    expect(told(file([node(2, 'Model')], [null, []]))).toEqual([
      true,
      [undefined, 'invalid_link', 'warning'],
    ]);
    const shared = [node(2, 'Note'), node(2, 'Model')];
    for (const nodes of [shared, shared.toReversed()])
      expect(told(file(nodes))).toEqual([true, ['2', 'duplicate_node_id', 'warning']]);
    expect(told(file([node(2, 'Note'), node(2, 'Note')]))).toEqual([true]);
    const instance = (values: unknown, proxies: unknown) => {
      const ui = nested({});
      const properties = proxies === undefined ? {} : { proxyWidgets: proxies };
      return { ...ui, nodes: [node(8, uuid, { inputs: [], widgets_values: values, properties })] };
    };
    const surplus = ['8', 'unused_values', 'warning'];
    expect(told(instance([1, 2], undefined))).toEqual([true, surplus]);
    expect(told(instance([], undefined))).toEqual([true]);
    expect(told(instance([1], [['77', 'seed']]))).toEqual([true, surplus]);
    expect(told(instance([1], [['5', 'nothing']]))).toEqual([true, surplus]);
    expect(told(instance([1], [['5', 'control_after_generate']]))).toEqual([true]);
  });

  it('P3: knows what packs write or split in the editor alone', () => {
    const latest = node(3, 'VHS_SelectLatest', { widgets_values: ['a', 'b'] });
    expect(Object.keys(look(file([latest])).workflow ?? {})).toEqual([]);
    const repeat = (output: string) =>
      look(file([node(3, 'Repeater|pysssss', { widgets_values: [2, output, 'reuse'] })])).problems.some(
        ({ type }) => type === 'links_made_by_editor',
      );
    expect([repeat('single'), repeat('multi')]).toEqual([false, true]);
  });
});

import { describe, expect, it } from 'vitest';
import { jsonLines } from '../helpers/json-lines.js';
import { png, pngText } from '../../workflow/metadata/write-pictures.js';
import { workspace } from '../helpers/workspace.js';

const ui = {
  nodes: [
    { id: 1, type: 'Loader', widgets_values: ['sd/a.safetensors', 7], properties: { cnr_id: 'some-pack' } },
    { id: 2, type: 'Note', widgets_values: ['read me'] },
    { id: 3, type: 'Encode', mode: 4, widgets_values: ['a text'] },
    { id: 4, type: '11111111-2222-3333-4444-555555555555' },
  ],
  links: [],
  definitions: {
    subgraphs: [
      {
        id: '11111111-2222-3333-4444-555555555555',
        name: 'Inner',
        nodes: [
          {
            id: 9,
            type: 'Vae',
            widgets_values: ['v.safetensors'],
            properties: {
              models: [{ name: 'v.safetensors', url: 'https://models.example/v', directory: 'vae' }],
            },
          },
        ],
        links: [],
      },
    ],
  },
  models: [{ name: 'a.safetensors', url: 'https://models.example/a', directory: 'checkpoints' }],
  version: 0.4,
};

describe('promptwire inspect', () => {
  it('P5: tells without definitions what the file of the editor has', async () => {
    const { cli, file } = await workspace();
    const path = await file('ui.json', ui);
    const running = cli(['inspect', path, '--json']);
    expect(await running.exit).toBe(0);
    const [inspected] = jsonLines(running.stdout());
    expect(inspected).toMatchObject({
      nodes: [
        { nodeId: '1', class: 'Loader', values: ['sd/a.safetensors', 7], pack: 'some-pack' },
        { nodeId: '2', class: 'Note', values: ['read me'] },
        { nodeId: '3', mode: 'bypassed', values: ['a text'] },
        { nodeId: '4' },
        { nodeId: '9', inside: 'Inner', values: ['v.safetensors'] },
      ],
      models: [
        { name: 'sd/a.safetensors', nodeId: '1', url: 'https://models.example/a', directory: 'checkpoints' },
        { name: 'v.safetensors', nodeId: '9', url: 'https://models.example/v', directory: 'vae' },
      ],
    });
    const lines = cli(['inspect', path]);
    expect(await lines.exit).toBe(0);
    for (const line of [
      '1 Loader, of some-pack\n  = "sd/a.safetensors"\n  = 7\n',
      '2 Note\n  = "read me"\n3 Encode, bypassed\n',
      '9 Vae, inside Inner\n',
      'model v.safetensors (9) in vae from https://models.example/v\n',
    ])
      expect(lines.stdout()).toContain(line);
  });

  it('P5: shows notes and modes beside what was converted, and the pack of a missing class', async () => {
    const { cli, file } = await workspace();
    const path = await file('ui.json', { ...ui, nodes: ui.nodes.slice(0, 3), definitions: {} });
    const definitions = await file('info.json', {
      Encode: { input: { required: { text: ['STRING', {}] } }, output: [] },
    });
    const running = cli(['inspect', path, '--definitions', definitions, '--json']);
    expect(await running.exit).toBe(0);
    const [inspected] = jsonLines(running.stdout());
    expect(inspected?.['nodes']).toMatchObject([
      { nodeId: '1', class: 'Loader' },
      { nodeId: '2', values: ['read me'] },
      { nodeId: '3', mode: 'bypassed' },
    ]);
    expect(JSON.stringify(inspected?.['problems'])).toContain('by the file, its pack is some-pack');
  });

  it('P5: shows what is inside subgraphs that do not run, once', async () => {
    const { cli, file } = await workspace();
    const [inner] = ui.definitions.subgraphs;
    const uuid = (digit: string) => inner?.id.replaceAll('1', digit);
    const definition = (digit: string, nodes: readonly object[]) => ({ ...inner, id: uuid(digit), nodes });
    const path = await file('ui.json', {
      ...ui,
      nodes: [
        { id: 1, type: uuid('1'), mode: 4, inputs: [] },
        { id: 2, type: uuid('3'), inputs: [] },
      ],
      definitions: {
        subgraphs: [
          definition('1', [
            { id: 5, type: 'Text', widgets_values: ['asleep'] },
            { id: 6, type: uuid('4') },
          ]),
          definition('3', [{ id: 7, type: 'Text' }]),
          definition('4', [{ id: 8, type: 'Text', widgets_values: ['deeper'] }]),
        ],
      },
    });
    const running = cli(['inspect', path, '--json']);
    expect(await running.exit).toBe(0);
    const [inspected] = jsonLines(running.stdout());
    expect(inspected?.['nodes']).toMatchObject([
      { nodeId: '2:7' },
      { nodeId: '1', mode: 'bypassed' },
      { nodeId: '5', inside: 'Inner', values: ['asleep'] },
      { nodeId: '6', inside: 'Inner' },
      { nodeId: '8', inside: 'Inner', values: ['deeper'] },
    ]);
  });

  it('P5: names --definitions and the service where node classes would help', async () => {
    const { cli, file } = await workspace();
    const path = await file('ui.json', ui);
    const alone = cli(['convert', path], { env: { PROMPTWIRE_BASE_URL: '' } });
    expect(await alone.exit).toBe(5);
    expect(alone.stderr()).toContain('--definitions FILE');
    expect(alone.stderr()).toContain('PROMPTWIRE_BASE_URL');
  });
});

describe('a picture with an executed graph and a file of the editor', () => {
  const api = (steps: number) => ({ '1': { class_type: 'SlowNode', inputs: { steps } } });
  const saved = { nodes: [{ id: 1, type: 'SlowNode', widgets_values: [3] }], links: [], version: 0.4 };
  const picture = (steps: number) =>
    png([pngText('prompt', JSON.stringify(api(steps))), pngText('workflow', JSON.stringify(saved))]);

  it('P5: says where both differ, and takes the one that --from names', async () => {
    const { cli, file } = await workspace();
    const same = await file('same.png', picture(3));
    const other = await file('other.png', picture(4));
    const both = await file('both.json', { prompt: api(4), workflow: saved });
    const convert = async (...argv: readonly string[]) => {
      const running = cli(['convert', ...argv]);
      expect(await running.exit).toBe(0);
      return { graph: JSON.parse(running.stdout()) as unknown, said: running.stderr() };
    };
    expect(await convert(same)).toEqual({ graph: api(3), said: '' });
    for (const path of [other, both]) {
      const unsure = await convert(path);
      expect(unsure.graph).toEqual(api(4));
      expect(unsure.said).toContain('differ (node 1)');
      expect(await convert(path, '--from', 'prompt')).toEqual({ graph: api(4), said: '' });
      expect((await convert(path, '--from', 'workflow')).graph).toMatchObject(api(3));
    }
    expect(await cli(['convert', await file('api.json', api(1)), '--from', 'workflow']).exit).toBe(2);
  });

  it('P5: takes another link, a switch and a node that the graph lacks for a difference', async () => {
    const { cli, file } = await workspace();
    const source = (id: number) => ({ id, type: 'Source', outputs: [{ name: 'A' }], widgets_values: [] });
    const inputs = [
      { name: 'a', link: 1 },
      { name: 'on', type: 'BOOLEAN', link: null, widget: { name: 'on' } },
    ];
    const nodes = [source(1), source(2), { id: 3, type: 'Sink', inputs, widgets_values: [true] }];
    const workflow = { nodes, links: [[1, 1, 0, 3, 0, '*']], version: 0.4 };
    const sources = { 1: { class_type: 'Source', inputs: {} }, 2: { class_type: 'Source', inputs: {} } };
    const sink = (from: string, on = true) => ({
      3: { class_type: 'Sink', inputs: { a: [from, 0], on } },
    });
    const said = async (prompt: object) => {
      const running = cli(['convert', await file('both.json', { prompt, workflow })]);
      expect(await running.exit).toBe(0);
      return running.stderr();
    };
    expect(await said({ ...sources, ...sink('1') })).toBe('');
    expect(await said({ ...sources, ...sink('2') })).toContain('differ (node 3)');
    expect(await said({ ...sources, ...sink('1', false) })).toContain('differ (node 3)');
    expect(await said({ 9: sources[1], ...sources })).toContain('differ (nodes 9, 3)');
  });
});

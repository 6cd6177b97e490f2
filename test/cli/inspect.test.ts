import { describe, expect, it } from 'vitest';
import { jsonLines } from './helpers/json-lines.js';
import { png, pngText } from '../workflow/metadata/write-pictures.js';
import { workspace } from './helpers/workspace.js';

const seed = '18446744073709551615';
const api = `{"3": {"class_type": "KSampler", "inputs": {"seed": ${seed}, "model": ["4", 0], "latent_image": ["9", 1]}},
  "4": {"class_type": "CheckpointLoaderSimple", "inputs": {"ckpt_name": "a.safetensors"}, "_meta": {"title": "Load"}}}`;
const ui = JSON.stringify({
  nodes: [{ id: 7, type: 'Thing', title: 'It', inputs: [], outputs: [], widgets_values: ['x'] }],
  links: [],
  version: 0.4,
});
const picture = png([pngText('prompt', api), pngText('workflow', ui)]);

describe('promptwire inspect', () => {
  it('prints what a picture carries, without asking a service', async () => {
    const { cli, file, asked } = await workspace();
    const path = await file('a.png', picture);
    const running = cli(['inspect', path]);
    expect(await running.exit).toBe(0);
    expect(running.stdout()).toBe(
      [
        `${path}: png, API format and editor's format 0.4, 2 nodes`,
        '3 KSampler',
        `  seed = ${seed}`,
        '  model ← 4, output 0',
        '  latent_image ← 9, output 1',
        '4 CheckpointLoaderSimple "Load"',
        '  ckpt_name = "a.safetensors"',
        'model a.safetensors (4.ckpt_name)',
        'error: The input latent_image of node 3 is linked to node 9, which is not there.',
        '',
      ].join('\n'),
    );
    expect(asked()).toEqual([]);
  });

  it('writes it as JSON, with integers of any size', async () => {
    const { cli, file } = await workspace();
    const running = cli(['inspect', await file('a.png', picture), '--json']);
    expect(await running.exit).toBe(0);
    expect(running.stdout()).toContain(`"seed":${seed}`);
    expect(jsonLines(running.stdout())).toMatchObject([
      { kind: 'warning' },
      {
        kind: 'inspected',
        format: 'png',
        holds: ['api', 'ui'],
        version: 0.4,
        nodes: [{ nodeId: '3' }, { nodeId: '4', class: 'CheckpointLoaderSimple', title: 'Load' }],
        models: [{ name: 'a.safetensors', nodeId: '4', input: 'ckpt_name' }],
        problems: [{ type: 'missing_node', nodeId: '3', input: 'latent_image' }],
      },
      { kind: 'end', exit: 'done' },
    ]);
  });

  it('prints a file of the editor, with what stops its conversion', async () => {
    const { cli, file } = await workspace();
    const running = cli(['inspect', await file('ui.json', ui), '--json']);
    expect(await running.exit).toBe(0);
    const [line] = jsonLines(running.stdout());
    expect(line).toMatchObject({
      format: 'json',
      holds: ['ui'],
      nodes: [{ nodeId: '7', class: 'Thing', title: 'It' }],
    });
    expect(line?.['problems']).not.toEqual([]);
  });

  it('converts a file of the editor by the definitions of a file', async () => {
    const { cli, file, asked } = await workspace();
    const definitions = await file('info.json', { Thing: { input: { required: { name: ['STRING', {}] } } } });
    const path = await file('ui.json', ui);
    const running = cli(['inspect', path, '--definitions', definitions]);
    expect(await running.exit).toBe(0);
    expect(running.stdout()).toBe(`${path}: json, editor's format 0.4, 1 node\n7 Thing "It"\n  name = "x"\n`);
    expect(await cli(['inspect', path, '--definitions', await file('list.json', '[]')]).exit).toBe(2);
    expect(asked()).toEqual([]);
  });

  it('ends with an error where there is no workflow', async () => {
    const { cli, file } = await workspace();
    expect(await cli(['inspect', await file('a.png', png([]))]).exit).toBe(2);
    expect(await cli(['inspect', '-'], { stdin: 'hello' }).exit).toBe(2);
    expect(await cli(['inspect', '-'], { stdin: '{"a": 1}' }).exit).toBe(5);
  });
});

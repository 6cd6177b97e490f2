import { describe, expect, it } from 'vitest';
import { join } from 'node:path';
import { jsonLines } from './helpers/json-lines.js';
import { readFile, writeFile } from 'node:fs/promises';
import { workspace } from './helpers/workspace.js';

/** A file of the editor: a primitive writes the steps of a node, and a preview shows its output. */
const ui = (steps: number, more: readonly object[] = []) => ({
  nodes: [
    { id: 1, type: 'SlowNode', mode: 0, inputs: [], outputs: [], widgets_values: [steps] },
    { id: 2, type: 'Note', mode: 0, widgets_values: ['{a|b}'] },
    ...more,
  ],
  links: [],
  version: 0.4,
});
const api = (steps: unknown) => ({ '1': { class_type: 'SlowNode', inputs: { steps } } });

describe('promptwire convert', () => {
  it('prints the API format, by the definitions of the service, which it asks for once', async () => {
    const { cli, file, asked } = await workspace();
    const converting = cli(['convert', await file('ui.json', ui(3))]);
    expect(await converting.exit).toBe(0);
    expect(JSON.parse(converting.stdout())).toMatchObject(api(3));
    expect(converting.stderr()).toBe('');
    expect(asked()).toEqual(['GET /api/object_info']);
  });

  it('writes a new file, and replaces none', async () => {
    const { cli, dir, file } = await workspace();
    const source = await file('ui.json', ui(3));
    const target = join(dir, 'api.json');
    const converting = cli(['convert', source, '-o', target]);
    expect(await converting.exit).toBe(0);
    expect(converting.stdout()).toBe(`${target}\n`);
    expect(JSON.parse(await readFile(target, 'utf8'))).toMatchObject(api(3));
    await writeFile(target, 'mine');
    const again = cli(['convert', source, '-o', target]);
    expect(await again.exit).toBe(2);
    expect(again.stderr()).toContain('there is a file of this name');
    expect(await readFile(target, 'utf8')).toBe('mine');
  });

  it('takes definitions from a file, and none where no service is named', async () => {
    const { cli, file, asked } = await workspace();
    const definitions = await file('info.json', {
      SlowNode: { input: { required: { speed: ['INT', {}] } } },
    });
    const source = await file('ui.json', ui(3));
    const converting = cli(['convert', source, '--definitions', definitions]);
    expect(await converting.exit).toBe(0);
    expect(JSON.parse(converting.stdout())).toMatchObject({ '1': { inputs: { speed: 3 } } });
    const alone = cli(['convert', source], { env: { PROMPTWIRE_BASE_URL: '' } });
    expect(await alone.exit).toBe(5);
    expect(alone.stderr()).toContain('only the definition of its class can name');
    expect(await cli(['convert', source, '--definitions', source.replace('ui', 'none')]).exit).toBe(2);
    expect(await cli(['convert', source, '--definitions', await file('list.json', '[]')]).exit).toBe(2);
    expect(asked()).toEqual([]);
  });

  it('keeps large integers and what acts on a terminal, as one JSON line as well', async () => {
    const { cli } = await workspace();
    const stdin = '{"1": {"class_type": "A", "inputs": {"seed": 18446744073709551615, "text": "a\\u202eb"}}}';
    const converting = cli(['convert', '-'], { stdin, showsResults: true });
    expect(await converting.exit).toBe(0);
    expect(converting.stdout()).toContain('"seed": 18446744073709551615,');
    expect(converting.stdout()).toContain('"a\\u202eb"');
    const json = cli(['convert', '-', '--json'], { stdin });
    expect(await json.exit).toBe(0);
    expect(json.stdout()).toContain('"seed":18446744073709551615,');
    expect(jsonLines(json.stdout())).toMatchObject([{ kind: 'converted', workflow: {} }, { kind: 'end' }]);
  });

  it('says which node it can not convert, and ends as invalidWorkflow', async () => {
    const { cli, file } = await workspace();
    const source = await file('ui.json', ui(3, [{ id: 9, type: 'Anything Everywhere' }]));
    const converting = cli(['convert', source]);
    expect(await converting.exit).toBe(5);
    expect(converting.stdout()).toBe('');
    expect(converting.stderr()).toContain('Node 9 (Anything Everywhere)');
  });
});

describe('promptwire run of a file of the editor', () => {
  it('converts, sets inputs by their ids in the API format, submits and watches', async () => {
    const { cli, emulator, file, asked } = await workspace();
    const running = cli(['run', await file('ui.json', ui(3)), '--set', '1.steps=2', '--json']);
    expect(await running.exit).toBe(0);
    expect(asked().filter((line) => line === 'GET /api/object_info')).toHaveLength(1);
    const submitted = emulator.requests.find(({ method, url }) => method === 'POST' && url === '/api/prompt');
    expect(JSON.parse(submitted?.body ?? '')).toMatchObject({ prompt: api(2) });
  });

  it('submits once for a job key, whatever a dynamic prompt becomes', async () => {
    const { cli, file, asked } = await workspace();
    const source = await file('ui.json', ui(1));
    const keyed = ['run', source, '--job-key', 'k', '--detach'];
    const first = cli(keyed);
    expect(await first.exit).toBe(0);
    const second = cli(keyed);
    expect(await second.exit).toBe(0);
    expect(second.stdout()).toBe(first.stdout());
    expect(asked().filter((line) => line === 'POST /api/prompt')).toHaveLength(1);
    expect(await cli([...keyed, '--set', '1.steps=2']).exit).toBe(2);
  });

  it('warns of a class that the service lacks', async () => {
    const { cli, file } = await workspace();
    const running = cli([
      'run',
      await file('ui.json', ui(1, [{ id: 9, type: 'Elsewhere', widgets_values: [1] }])),
    ]);
    expect(await running.exit).toBe(5);
    expect(running.stderr()).toContain('Node 9 (Elsewhere) is of a class that the service does not have');
  });
});

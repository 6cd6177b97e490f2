import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exampleWorkflows } from '../../src/examples.js';
import { jsonLines } from './helpers/json-lines.js';
import { readdir, readFile } from 'node:fs/promises';
import { startCli } from './helpers/start-cli.js';
import { workspace } from './helpers/workspace.js';

describe('the examples of promptwire demo', () => {
  it('are listed with what they do', async () => {
    const running = startCli(['demo', '--list']);
    expect(await running.exit).toBe(0);
    const lines = running.stdout().trimEnd().split('\n');
    expect(lines.map((line) => line.split(' ')[0])).toEqual(Object.keys(exampleWorkflows));
    const json = startCli(['demo', '--list', '--json']);
    await json.exit;
    expect(jsonLines(json.stdout())).toContainEqual({
      ...{ kind: 'example', name: 'upscale', description: 'Makes a picture larger.' },
      inputs: ['picture', 'factor'],
    });
  });

  it('run by their names, with files that they need', async () => {
    const { dir } = await workspace();
    const workflow = join(dir, 'audio.json');
    const saving = ['--out', join(dir, 'outputs'), '--save-workflow', workflow];
    const running = startCli(['demo', '--workflow', 'audio', '--json', ...saving]);
    expect(await running.exit).toBe(0);
    expect(JSON.parse(await readFile(workflow, 'utf8'))).toEqual(exampleWorkflows.audio.workflow);
    const saved = jsonLines(running.stdout()).filter(({ kind }) => kind === 'saved');
    expect(saved.map(({ mediaType }) => mediaType)).toEqual([expect.stringMatching(/^audio\//u)]);
  });
});

describe('promptwire init', () => {
  it('writes a project of the name of its folder, and over nothing', async () => {
    const { dir } = await workspace();
    const folder = join(dir, 'My Pictures');
    const running = startCli(['init', folder]);
    expect(await running.exit).toBe(0);
    const names = running.stdout().trimEnd().split('\n');
    expect(names.map((name) => basename(name)).toSorted()).toEqual(
      (await readdir(folder, { recursive: true }))
        .map((name) => basename(name))
        .filter((name) => name !== 'src')
        .toSorted(),
    );
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as object;
    expect(manifest).toMatchObject({
      name: 'my-pictures',
      dependencies: { promptwire: expect.stringMatching(/^\^\d/u) as string },
    });
    expect(await readFile(join(folder, '.gitignore'), 'utf8')).toContain('node_modules');

    const again = startCli(['init', folder]);
    expect(await again.exit).toBe(2);
    expect(again.stderr()).toContain('init writes over nothing');
  });
});

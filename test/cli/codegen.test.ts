import { describe, expect, it } from 'vitest';
import { join } from 'node:path';
import { jsonLines } from './helpers/json-lines.js';
import { readFile } from 'node:fs/promises';
import { runProgram } from '../workflow/generated/programs.js';
import { workspace } from './helpers/workspace.js';

const workflow = {
  '1': { class_type: 'SlowNode', inputs: { steps: 3 }, _meta: { title: 'Slow' } },
  '2': { class_type: 'Gone', inputs: { x: ['1', 0] } },
};

describe('promptwire codegen', () => {
  it('prints the program of a workflow, which gives the workflow, without asking a service', async () => {
    const { cli, file, asked } = await workspace();
    const printing = cli(['codegen', await file('api.json', workflow)]);
    expect(await printing.exit).toBe(0);
    expect(runProgram(printing.stdout())).toEqual(workflow);
    expect(asked()).toEqual([]);
  });

  it('writes a new file, with names of outputs and unknown classes where it knows the classes', async () => {
    const { cli, dir, file, emulator } = await workspace();
    const source = await file('api.json', workflow);
    const output = join(dir, 'program.ts');
    const argv = [
      'codegen',
      source,
      '-o',
      output,
      '--types',
      './nodes.js',
      '--base-url',
      emulator.baseUrl,
      '--json',
    ];
    const writing = cli([...argv, '--key-file', await file('key', emulator.apiKey)], {
      env: { PROMPTWIRE_BASE_URL: '' },
    });
    expect(await writing.exit).toBe(0);
    const text = await readFile(output, 'utf8');
    expect(jsonLines(writing.stdout())).toMatchObject([
      { kind: 'program', path: output, text },
      { kind: 'end' },
    ]);
    expect(text).toContain("import type { Nodes } from './nodes.js';");
    expect(text).toContain("const slow = g.SlowNode({ steps: 3 }, { title: 'Slow' });");
    expect(text).toContain("g.unknown('Gone', {");
    expect(await cli(argv).exit).toBe(2);
  });

  it('converts a file of the editor by the definitions, and leaves dynamic prompts as they are', async () => {
    const { cli, file } = await workspace();
    const nodes = [{ id: 1, type: 'A', mode: 0, inputs: [], outputs: [], widgets_values: ['{a|b}'] }];
    const source = await file('ui.json', { nodes, links: [], version: 0.4 });
    const info = await file('info.json', {
      A: { input: { required: { text: ['STRING', { dynamicPrompts: true }] } } },
    });
    const printing = cli(['codegen', source, '--definitions', info]);
    expect(await printing.exit).toBe(0);
    expect(runProgram(printing.stdout())['1']?.inputs).toEqual({ text: '{a|b}' });
  });

  it('warns of a cycle, and refuses a file without a workflow', async () => {
    const { cli, file } = await workspace();
    const cyclic = { '1': { class_type: 'A', inputs: { x: ['1', 0] } } };
    const printing = cli(['codegen', await file('cyclic.json', cyclic)]);
    expect(await printing.exit).toBe(0);
    expect(printing.stderr()).toContain('node 1, input x, closes a cycle');
    expect(await cli(['codegen', await file('list.json', '[]')]).exit).toBe(5);
  });
});

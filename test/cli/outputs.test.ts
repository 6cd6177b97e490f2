import { describe, expect, it } from 'vitest';
import { displayNodes } from '../../src/cli/commands/outputs.js';
import { failingAfterSave } from './helpers/workflows.js';
import { join } from 'node:path';
import { jsonLines } from './helpers/json-lines.js';
import { readdir } from 'node:fs/promises';
import { textToImageWorkflow } from '../../src/emulator.js';
import { workspace } from './helpers/workspace.js';

const promptIdOf = (stdout: string): string => String(jsonLines(stdout)[0]?.['promptId']);

describe('promptwire run of a job that fails', () => {
  it('saves what the job had finished, and ends as failed', async () => {
    const { cli, dir, file } = await workspace();
    const running = cli(['run', await file('wf.json', failingAfterSave()), '--out', join(dir, 'out')]);
    expect(await running.exit).toBe(6);
    const names = await readdir(join(dir, 'out'));
    expect(names).not.toEqual([]);
    expect(running.stdout().trim().split('\n').sort()).toEqual(
      names.map((name) => join(dir, 'out', name)).sort(),
    );
    expect(running.stderr()).toContain('The job failed.');
    expect(running.stderr()).not.toMatch(/completed|Done|has no files/u);
  });

  it('ends as failed also where a finished file can not be fetched, and names the command that fetches it', async () => {
    const { cli, dir, file, emulator } = await workspace();
    emulator.answerOnce('GET', '/api/view', { status: 400 });
    const running = cli(['run', await file('wf.json', failingAfterSave()), '--out', dir, '--json']);
    expect(await running.exit).toBe(6);
    const lines = jsonLines(running.stdout());
    expect(lines.map(({ kind }) => kind)).toContain('error');
    const promptId = promptIdOf(running.stdout());
    expect(lines.at(-1)).toMatchObject({ exit: 'failed', resume: `promptwire outputs ${promptId}` });
  });
});

describe('promptwire outputs of a job that failed', () => {
  it('saves what the job had finished, and says nowhere that it completed', async () => {
    const { cli, dir, file } = await workspace();
    const running = cli(['run', await file('wf.json', failingAfterSave()), '--out', dir, '--json']);
    expect(await running.exit).toBe(6);
    const promptId = promptIdOf(running.stdout());
    const fetching = cli(['outputs', promptId, '--out', join(dir, 'again')]);
    expect(await fetching.exit).toBe(6);
    expect(await readdir(join(dir, 'again'))).not.toEqual([]);
    expect(fetching.stderr()).toContain('OOMError');
    expect(fetching.stderr()).toContain('The job failed.');
    expect(fetching.stderr()).not.toMatch(/completed|promptwire outputs/u);
  });
});

describe('the display node of a file whose node was made at run time', () => {
  it('is told by outputs, from the record', async () => {
    const { cli, dir, file, emulator } = await workspace();
    const workflow = textToImageWorkflow({ steps: 1, width: 64, height: 64 });
    const running = cli(['run', await file('wf.json', workflow), '--out', dir, '--json']);
    expect(await running.exit).toBe(0);
    const { promptId, filename, subfolder, type } = jsonLines(running.stdout()).find(
      ({ kind }) => kind === 'saved',
    ) as Record<string, unknown>;
    const body = JSON.stringify({
      outputs: { '9.0.1': { images: [{ filename, subfolder, type }] } },
      status: { status_str: 'success', completed: true },
      meta: { '9.0.1': { node_id: '9.0.1', display_node: '9', parent_node: '9', real_node_id: '1' } },
    });
    emulator.answerOnce('GET', `/api/history_v2/${String(promptId)}`, { status: 200, body });
    const fetching = cli(['outputs', String(promptId), '--out', dir, '--json']);
    await fetching.exit;
    const told = jsonLines(fetching.stdout()).filter(({ kind }) => kind === 'output' || kind === 'saved');
    expect(told).toHaveLength(2);
    for (const line of told) expect(line).toMatchObject({ nodeId: '9.0.1', displayNodeId: '9' });
  });
});

describe('temporary files of preview nodes', () => {
  const workflow = textToImageWorkflow({ steps: 1, width: 64, height: 64 });
  const saved = (stdout: string) => jsonLines(stdout).filter(({ kind }) => kind === 'saved');

  it('are not saved where the job made other files, and that is said', async () => {
    const { cli, dir, file } = await workspace();
    const path = await file('wf.json', workflow);
    const running = cli(['run', path, '--out', dir, '--json']);
    expect(await running.exit).toBe(0);
    expect(saved(running.stdout()).map(({ type }) => type)).toEqual(['output']);
    expect(jsonLines(running.stdout()).filter(({ kind }) => kind === 'output')).toHaveLength(2);
    const fetching = cli(['outputs', promptIdOf(running.stdout()), '--out', dir]);
    expect(await fetching.exit).toBe(0);
    expect(fetching.stdout().trim().split('\n')).toHaveLength(1);
    expect(fetching.stderr()).toContain('Not saved: 1 temporary file of preview nodes');
  });

  it('are saved with --include temp', async () => {
    const { cli, dir, file } = await workspace();
    const running = cli([
      'run',
      await file('wf.json', workflow),
      '--out',
      dir,
      '--json',
      '--include',
      'temp',
    ]);
    expect(await running.exit).toBe(0);
    expect(
      saved(running.stdout())
        .map(({ type }) => type)
        .sort(),
    ).toEqual(['output', 'temp']);
  });

  it('R2: are not saved where the job made nothing else, and what saves them is named', async () => {
    const { cli, dir, file } = await workspace();
    const previewOnly = Object.fromEntries(Object.entries(workflow).filter(([nodeId]) => nodeId !== '9'));
    const running = cli(['run', await file('wf.json', previewOnly), '--out', dir, '--json']);
    expect(await running.exit).toBe(0);
    expect(saved(running.stdout())).toEqual([]);
    const fetching = cli(['outputs', promptIdOf(running.stdout()), '--out', dir]);
    expect(await fetching.exit).toBe(0);
    expect(fetching.stderr()).toContain('Not saved: 1 temporary file of preview nodes (--include temp');
  });
});

describe('texts that nodes put out', () => {
  const workflow = {
    '1': { class_type: 'PreviewText', inputs: { source: 'a cat\nand a dog' }, _meta: { title: 'Caption' } },
  };

  it('are shown by run, and by follow and outputs with the titles of the record', async () => {
    const { cli, dir, file } = await workspace();
    const captioned = { ...textToImageWorkflow({ steps: 1, width: 64, height: 64 }), ...workflow };
    const detach = async (submitted: object): Promise<string> => {
      const detached = cli(['run', await file('wf.json', submitted), '--detach']);
      expect(await detached.exit).toBe(0);
      return detached.stdout().trim();
    };
    // A follow waits for the files of a record that has none, so its job makes one.
    for (const argv of [
      ['run', await file('text.json', workflow)],
      ['follow', await detach(captioned)],
      ['outputs', await detach(workflow)],
    ]) {
      const running = cli([...argv, '--out', join(dir, 'texts')]);
      expect(await running.exit).toBe(0);
      expect(running.stdout()).toMatch(argv[0] === 'follow' ? /^\S+\.png\n$/u : /^$/u);
      expect(running.stderr()).toContain('Caption:\n  a cat\n  and a dog\n');
      expect(running.stderr()).not.toContain('has no files');
    }
  });

  it.each(['cloud', 'local'] as const)('are lines of --json, %s', async (dialect) => {
    const { cli, file } = await workspace({ dialect });
    const running = cli(['run', await file('wf.json', workflow), '--json', '--dialect', dialect]);
    expect(await running.exit).toBe(0);
    const lines = jsonLines(running.stdout());
    expect(lines.filter(({ kind }) => kind === 'text')).toEqual([
      { kind: 'text', promptId: lines[0]?.['promptId'], nodeId: '1', text: 'a cat\nand a dog' },
    ]);
    const fetching = cli(['outputs', String(lines[0]?.['promptId']), '--dialect', dialect]);
    expect(await fetching.exit).toBe(0);
    expect(fetching.stderr()).toContain('Caption:\n  a cat');
  });
});

describe('displayNodes', () => {
  it('reads which node of the workflow each node of a record belongs to', () => {
    const meta = { '5.0.1': { node_id: '5.0.1', display_node: '5' }, 9: { display_node: '9' } };
    expect(displayNodes({ record: { meta } })).toEqual({
      '5.0.1': { displayNodeId: '5' },
      9: { displayNodeId: '9' },
    });
  });

  it.each([{}, { meta: null }, { meta: 'x' }, { meta: { 1: null, 2: {}, 3: { display_node: 3 } } }])(
    'takes %j for a record without it',
    (record) => {
      expect(displayNodes({ record })).toEqual({});
    },
  );
});

import { describe, expect, it } from 'vitest';
import { join } from 'node:path';
import { jsonLines } from './helpers/json-lines.js';
import { readdir } from 'node:fs/promises';
import { workspace } from './helpers/workspace.js';

const workflow = {
  '1': { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 2, color: 255 } },
  '3': {
    class_type: 'SaveImage',
    inputs: { images: ['1', 0], filename_prefix: 'a' },
    _meta: { title: 'Keep' },
  },
};

const setting = async () => {
  const { cli, dir, file, emulator, asked } = await workspace({ dialect: 'local' });
  const out = join(dir, 'out');
  const run = (paths: readonly string[], argv: readonly string[] = []) =>
    cli(['run', ...paths, '--dialect', 'local', '--ephemeral', '--out', out, ...argv]);
  return { file, emulator, asked, run, out };
};

describe('promptwire run --ephemeral', () => {
  it('O8: saves the pictures, and leaves no file and no record at the service', async () => {
    const { run, file, emulator, out } = await setting();
    const running = run([await file('wf.json', workflow)], ['--json']);
    expect(await running.exit).toBe(0);
    expect((await readdir(out)).toSorted()).toEqual(['Keep-1.png', 'Keep-2.png']);
    expect(emulator.ledger.jobs.map(({ outputs }) => outputs)).toEqual([{}]);
    expect(await (await fetch(`${emulator.baseUrl}/history`)).json()).toEqual({});
    expect(jsonLines(running.stdout()).filter(({ kind }) => kind === 'warning')).toEqual([]);
  });

  it('O8: saves the pictures of several files', async () => {
    const { run, file, emulator, out } = await setting();
    const files = [await file('a.json', workflow), await file('b.json', workflow)];
    const running = run(files);
    expect(await running.exit, running.stderr()).toBe(0);
    expect(await readdir(out)).toHaveLength(4);
    expect(await (await fetch(`${emulator.baseUrl}/history`)).json()).toEqual({});
  });

  it.each([
    ['--detach', ['--detach']],
    ['--job-key', ['--job-key', 'k']],
  ])('O8: sends nothing with %s, which would come back to the job', async (flag, argv) => {
    const { run, file, asked } = await setting();
    const running = run([await file('wf.json', workflow)], argv);
    expect(await running.exit).toBe(2);
    expect(running.stderr()).toContain(flag);
    expect(asked()).toEqual([]);
  });

  it('O8: names the node that would leave a file', async () => {
    const { run, file, asked } = await setting();
    const sound = {
      '1': { class_type: 'EmptyAudio', inputs: { duration: 0.1, sample_rate: 8000, channels: 1 } },
      '2': { class_type: 'SaveAudio', inputs: { audio: ['1', 0], filename_prefix: 'a' } },
    };
    const running = run([await file('wf.json', sound)]);
    expect(await running.exit).not.toBe(0);
    expect(running.stderr()).toMatch(/node 2 \(SaveAudio\).*--ephemeral/su);
    expect(asked().filter((request) => request.startsWith('POST'))).toEqual([]);
  });

  it('O8: refuses before it uploads what would stay', async () => {
    const { run, file, asked } = await setting();
    const video = {
      '1': { class_type: 'LoadImage', inputs: { image: '' } },
      '2': { class_type: 'SaveAnimatedWEBP', inputs: { images: ['1', 0], filename_prefix: 'a' } },
    };
    const picture = await file('a.png', 'a picture');
    const running = run([await file('wf.json', video)], ['--upload', `1.image=${picture}`]);
    expect(await running.exit).toBe(2);
    expect(running.stderr()).toMatch(/node 2 \(SaveAnimatedWEBP\).*--ephemeral/su);
    expect(asked().filter((request) => request.startsWith('POST'))).toEqual([]);
  });

  it('O8: refuses before it uploads where records stay', async () => {
    const { cli, file, asked } = await workspace({ dialect: 'v2' });
    const loading = { ...workflow, '1': { class_type: 'LoadImage', inputs: { image: '' } } };
    const picture = await file('a.png', 'a picture');
    const path = await file('wf.json', loading);
    const running = cli(['run', path, '--dialect', 'v2', '--ephemeral', '--upload', `1.image=${picture}`]);
    expect(await running.exit).toBe(2);
    expect(running.stderr()).toContain('deletes no records');
    expect(asked().filter((request) => request.startsWith('POST'))).toEqual([]);
  });
});

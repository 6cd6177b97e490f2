import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { textToImageWorkflow } from '../../src/emulator.js';
import { jsonLines } from './helpers/json-lines.js';
import { workspace } from './helpers/workspace.js';

const workflow = textToImageWorkflow({ steps: 1, width: 64, height: 64, seed: 7 });

const setting = async (options: Parameters<typeof workspace>[0] = {}) => {
  const ws = await workspace(options);
  const out = join(ws.dir, 'out');
  const path = await ws.file('wf.json', workflow);
  const call = (argv: readonly string[]) => ws.cli([...argv, '--out', out]);
  return { ...ws, out, path, call };
};

describe('the names of saved files', () => {
  it('are the titles of their nodes where the service names files by hashes alone', async () => {
    const { call, path, out } = await setting();
    expect(await call(['run', path, '--include', 'temp']).exit).toBe(0);
    expect((await readdir(out)).sort()).toEqual(['Preview-2.png', 'Save-1.png']);
  });

  it('are the service’s own where they are readable', async () => {
    const { call, path, out } = await setting({ switches: { fileNames: 'counter' } });
    expect(await call(['run', path]).exit).toBe(0);
    expect(await readdir(out)).toEqual(['promptwire_00001_.png']);
  });

  it('are made of the pattern of --name, by run, follow and outputs', async () => {
    const { call, cli, path, out } = await setting();
    const pattern = ['--name', '{title}-{seed}-{index}'];
    expect(await call(['run', path, ...pattern]).exit).toBe(0);
    expect(await readdir(out)).toEqual(['Save-7-1.png']);
    const detached = cli(['run', path, '--set', '3.seed=8', '--detach']);
    expect(await detached.exit).toBe(0);
    const promptId = detached.stdout().trim();
    expect(await call(['follow', promptId, ...pattern]).exit).toBe(0);
    expect((await readdir(out)).sort()).toEqual(['Save-7-1.png', 'Save-8-1.png']);
    expect(await call(['outputs', promptId, '--name', '{prompt}']).exit).toBe(0);
    expect(await readdir(out)).toContain(`${promptId}.png`);
  });

  it('differ where the pattern makes them equal, and no file is replaced', async () => {
    const { call, path, out } = await setting();
    await mkdir(out);
    await writeFile(join(out, 'one.png'), 'my own');
    const argv = ['run', path, '--include', 'temp', '--name', 'one', '--job-key', 'k'];
    expect(await call(argv).exit).toBe(0);
    const names = await readdir(out);
    expect(names.filter((name) => /^one(~\d)+\.png$/u.test(name))).toHaveLength(2);
    expect(names).toHaveLength(3);
    expect(await readFile(join(out, 'one.png'), 'utf8')).toBe('my own');
    // As it would have come where the second file was whole before the first.
    await rename(join(out, 'one~2~2.png'), join(out, 'one~3.png')).catch(() => undefined);
    const numbered = ['one.png', 'one~2.png', 'one~3.png'];
    expect(await readdir(out)).toEqual(numbered);
    expect(await call(argv).exit).toBe(0);
    expect(await readdir(out)).toEqual(numbered);
  });

  it('refuse a placeholder that is not known before anything is sent, and list the known ones', async () => {
    const { call, path, asked } = await setting();
    const running = call(['run', path, '--name', '{sed}']);
    expect(await running.exit).toBe(2);
    expect(running.stderr()).toMatch(/\{sed\} is not known; the placeholders are .*\{seed\}/u);
    expect(asked()).toEqual([]);
  });
});

describe('a file that is there already', () => {
  it.each(['hash', 'counter'] as const)(
    'is not saved twice by a rerun of the same job, names by %s',
    async (fileNames) => {
      const { call, path, out } = await setting({ switches: { fileNames } });
      const argv = ['run', path, '--include', 'temp', '--job-key', 'k'];
      const first = call(argv);
      expect(await first.exit).toBe(0);
      const names = await readdir(out);
      expect(names).toHaveLength(2);
      const second = call(argv);
      expect(await second.exit).toBe(0);
      expect(await readdir(out)).toEqual(names);
      expect(second.stdout().split('\n').sort()).toEqual(first.stdout().split('\n').sort());
      expect(second.stderr()).toContain('2 files are there already, and not saved again:');
    },
  );

  it('is told as existing by outputs --json, and again after a name of another was numbered', async () => {
    const { call, path, out } = await setting();
    await mkdir(out);
    await writeFile(join(out, 'Save-1.png'), 'my own');
    const running = call(['run', path, '--json']);
    expect(await running.exit).toBe(0);
    const saved = (stdout: string) => jsonLines(stdout).filter(({ kind }) => kind === 'saved');
    const [first] = saved(running.stdout());
    expect(first).toMatchObject({ path: join(out, 'Save-1~2.png') });
    expect(first).not.toHaveProperty('existing');
    const fetching = call(['outputs', String(first?.['promptId']), '--json']);
    expect(await fetching.exit).toBe(0);
    expect(saved(fetching.stdout())).toEqual([{ ...first, existing: true }]);
    expect(await readdir(out)).toHaveLength(2);
  });

  it('is saved again where its bytes are others, though as many', async () => {
    const { call, path, out } = await setting();
    const running = call(['run', path, '--json']);
    expect(await running.exit).toBe(0);
    const target = join(out, 'Save-1.png');
    const bytes = await readFile(target);
    await writeFile(target, bytes.fill(0, bytes.length - 1));
    const promptId = String(jsonLines(running.stdout())[0]?.['promptId']);
    expect(await call(['outputs', promptId]).exit).toBe(0);
    expect((await readdir(out)).sort()).toEqual(['Save-1.png', 'Save-1~2.png']);
  });
});

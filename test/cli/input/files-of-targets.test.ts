import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { filesOfTargets } from '../../../src/cli/input/files-of-targets.js';
import { join, relative } from 'node:path';
import { tmpdir } from 'node:os';

/** A folder with files at these paths, each in the folders that it needs. */
const folderOf = async (...paths: readonly string[]): Promise<string> => {
  const dir = await mkdtemp(join(tmpdir(), 'promptwire-targets-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  for (const path of paths) {
    await mkdir(join(dir, path, '..'), { recursive: true });
    await writeFile(join(dir, path), '{}');
  }
  return dir;
};

describe('the files that arguments name', () => {
  const inside = async (dir: string, ...targets: readonly string[]) =>
    (await filesOfTargets(targets.map((target) => join(dir, target)))).map((file) => relative(dir, file));

  it('are those of a folder by name as people count, without hidden ones and those of folders in it', async () => {
    const dir = await folderOf(
      ...['a10.json', 'a2.json', 'B.png', '.hidden.json', '.git/config', 'inner/z.json', 'inner/deep/y.json'],
    );
    expect(await inside(dir, '.')).toEqual(['a2.json', 'a10.json', 'B.png']);
  });

  it('come in the order of the arguments, and as often as they are named', async () => {
    const dir = await folderOf('one/b.json', 'one/a.json', 'two/c.json');
    expect(await inside(dir, 'two', 'one/b.json', 'one')).toEqual([
      ...['two/c.json', 'one/b.json', 'one/a.json', 'one/b.json'],
    ]);
    expect(await filesOfTargets(['-', join(dir, 'none.json')])).toEqual(['-', join(dir, 'none.json')]);
  });

  it('are those that links lead to, and of a linked folder that is named', async () => {
    const dir = await folderOf('real/a.json', 'links/own.json');
    await symlink(join(dir, 'real', 'a.json'), join(dir, 'links', 'b.json'));
    await symlink(join(dir, 'real'), join(dir, 'links', 'folder'));
    await symlink(join(dir, 'real'), join(dir, 'linked'));
    expect(await inside(dir, 'links', 'linked')).toEqual([
      ...['links/b.json', 'links/own.json', 'linked/a.json'],
    ]);
  });

  it('are missing in a folder without files, with one in it, or that can’t be read', async () => {
    const dir = await folderOf('full/inner/a.json', 'hidden/.a.json');
    await expect(filesOfTargets([join(dir, 'hidden')])).rejects.toThrow(/there are no files in \S+hidden$/u);
    await expect(filesOfTargets([join(dir, 'full')])).rejects.toThrow(
      /no files in \S+full, and those of the folders in it are not taken: name these folders$/u,
    );
    await chmod(join(dir, 'hidden'), 0o000);
    // An administrator reads it all the same.
    if (process.getuid?.() !== 0)
      await expect(filesOfTargets([join(dir, 'hidden')])).rejects.toThrow('(EACCES)');
    await chmod(join(dir, 'hidden'), 0o700);
  });
});

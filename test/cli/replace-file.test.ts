import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { replaceFile } from '../../src/cli/replace-file.js';
import { UsageError } from '../../src/cli/cli-io.js';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'promptwire-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function* pieces(...texts: readonly (string | Error)[]): AsyncGenerator<string> {
  for (const text of texts) {
    await Promise.resolve();
    if (text instanceof Error) throw text;
    yield text;
  }
}

it('replaces a file by a text, or by pieces', async () => {
  const path = join(folder, 'a.txt');
  await replaceFile(path, 'one');
  expect(await readFile(path, 'utf8')).toBe('one');
  await replaceFile(path, pieces('two', ' three'));
  expect(await readFile(path, 'utf8')).toBe('two three');
  expect(await readdir(folder)).toEqual(['a.txt']);
});

it('leaves the file as it was, and nothing beside it, where the pieces break off', async () => {
  const path = join(folder, 'a.txt');
  await writeFile(path, 'old');
  const broken = new Error('broken');
  await expect(replaceFile(path, pieces('new', broken))).rejects.toBe(broken);
  expect(await readFile(path, 'utf8')).toBe('old');
  expect(await readdir(folder)).toEqual(['a.txt']);
});

it('says that a file cannot be written, and leaves nothing beside it', async () => {
  const path = join(folder, 'sub');
  await mkdir(join(path, 'file'), { recursive: true });
  await expect(replaceFile(path, 'text')).rejects.toThrow(UsageError);
  const missing = join(folder, 'missing', 'a.txt');
  await expect(replaceFile(missing, 'text')).rejects.toThrow(
    new UsageError(`can't write ${missing}: ENOENT`),
  );
  expect(await readdir(folder)).toEqual(['sub']);
});

it('keeps the permissions of the file, unless others are asked for', async () => {
  const path = join(folder, 'a.txt');
  await writeFile(path, 'old');
  await chmod(path, 0o666);
  await replaceFile(path, 'new');
  expect((await stat(path)).mode & 0o777).toBe(0o666);
  await replaceFile(path, 'newer', 0o600);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

it('has those permissions while it is written', async () => {
  const modes: number[] = [];
  async function* secret(): AsyncGenerator<string> {
    yield 'a';
    for (const name of await readdir(folder)) modes.push((await stat(join(folder, name))).mode & 0o777);
    yield 'b';
  }
  await replaceFile(join(folder, 'key.txt'), secret(), 0o600);
  expect(modes).toEqual([0o600]);
});

it('replaces the file that a symbolic link leads to, and not the link', async () => {
  await mkdir(join(folder, 'sub'));
  const [file, link] = [join(folder, 'sub', 'a.txt'), join(folder, 'link.txt')];
  await writeFile(file, 'old');
  await symlink(file, link);
  await replaceFile(link, 'new');
  expect((await lstat(link)).isSymbolicLink()).toBe(true);
  expect(await readFile(file, 'utf8')).toBe('new');
  expect(await readdir(join(folder, 'sub'))).toEqual(['a.txt']);
});

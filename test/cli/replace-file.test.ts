import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
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
  await expect(replaceFile(join(folder, 'missing', 'a.txt'), 'text')).rejects.toThrow('ENOENT');
  expect(await readdir(folder)).toEqual(['sub']);
});

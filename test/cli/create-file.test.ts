import { afterEach, beforeEach, expect, it } from 'vitest';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createFile } from '../../src/cli/create-file.js';
import { join } from 'node:path';
import { tmpdir } from 'node:os';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'promptwire-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('creates a file for its owner alone, and leaves one that is there as it is', async () => {
  const path = join(folder, 'a');
  expect(await createFile(path, 'one')).toBe(true);
  expect(await createFile(path, 'two')).toBe(false);
  expect(await readFile(path, 'utf8')).toBe('one');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['a']);
});

it('shows the whole text to those who come second, and one of them all creates it', async () => {
  for (let round = 0; round < 50; round++) {
    const path = join(folder, `round-${round}`);
    const texts = Array.from({ length: 8 }, (_, n) => `${n}`.repeat(2 ** 16));
    const plays = await Promise.all(
      texts.map(async (text) => ({
        created: await createFile(path, text),
        read: await readFile(path, 'utf8'),
      })),
    );
    const kept = await readFile(path, 'utf8');
    expect(texts).toContain(kept);
    expect(plays.every(({ read }) => read === kept)).toBe(true);
    expect(plays.filter(({ created }) => created)).toHaveLength(1);
  }
  expect(await readdir(folder)).toHaveLength(50);
});

it('throws the reason of the system where the folder is missing', async () => {
  await expect(createFile(join(folder, 'none', 'a'), 'one')).rejects.toMatchObject({ code: 'ENOENT' });
});

it.each(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'])(
  'a disk without links gets a copy, of which there is one as well: %s',
  async (code) => {
    const path = join(folder, 'a');
    const without = () => Promise.reject(Object.assign(new Error('no links'), { code }));
    expect(await createFile(path, 'one', without)).toBe(true);
    expect(await createFile(path, 'two', without)).toBe(false);
    expect([await readFile(path, 'utf8'), await readdir(folder)]).toEqual(['one', ['a']]);
  },
);

it('a disk that fails in another way is told, and leaves nothing', async () => {
  const full = Object.assign(new Error('full'), { code: 'ENOSPC' });
  await expect(createFile(join(folder, 'a'), 'one', () => Promise.reject(full))).rejects.toBe(full);
  const odd = () => Promise.reject(new Error('odd'));
  await expect(createFile(join(folder, 'a'), 'one', odd)).rejects.toThrow('odd');
  expect(await readdir(folder)).toEqual([]);
});

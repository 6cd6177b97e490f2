import { afterEach, beforeEach, expect, it } from 'vitest';
import { definitionsCache } from '../../../src/cli/validation/definitions-cache.js';
import { join } from 'node:path';
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import type { Settings } from '../../../src/cli/settings.js';
import { tmpdir } from 'node:os';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'promptwire-cache-'));
});
afterEach(() => rm(folder, { recursive: true }));

const definitions = { A: { input: {} } };
const open = (more: Partial<Settings> = {}) =>
  definitionsCache(folder, { dialect: 'cloud', baseUrl: 'https://a.example', apiKey: 'secret', ...more });
const files = async (ending = '.json') =>
  (await readdir(join(folder, 'definitions')))
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, 'definitions', name));
const age = async (path: string, ms: number) => {
  const at = new Date(Date.now() - ms);
  await utimes(path, at, at);
};

it('node classes are kept for ten minutes, for their owner alone', async () => {
  const cache = open();
  expect(await cache.read()).toBeUndefined();
  await cache.keep(definitions);
  expect(await open().read()).toEqual(definitions);
  const [path = ''] = await files();
  expect(path).toMatch(/[\da-f]{64}\.json$/u);
  expect([(await stat(path)).mode & 0o777, (await stat(join(folder, 'definitions'))).mode & 0o777]).toEqual([
    0o600, 0o700,
  ]);
  await age(path, 590_000);
  expect(await cache.read()).toEqual(definitions);
  await age(path, 601_000);
  expect(await cache.read()).toBeUndefined();
  // The clock was set back.
  await age(path, -1_900);
  expect(await cache.read()).toBeUndefined();
});

it.each<Partial<Settings>>([
  { dialect: 'local' },
  { baseUrl: 'https://b.example' },
  { apiKey: 'other' },
  { workspace: 'w' },
  { headers: [['a', 'b']] },
])('those of another account are others: %o', async (more) => {
  await open().keep(definitions);
  expect(await open(more).read()).toBeUndefined();
});

it('a file that holds none is none', async () => {
  await open().keep(definitions);
  const [path = ''] = await files();
  for (const text of ['', '{"cut', 'null', '5']) {
    await writeFile(path, text);
    expect([text, await open().read()]).toEqual([text, undefined]);
  }
});

it('files of accounts that nobody asks for any more are removed', async () => {
  await open({ apiKey: 'old' }).keep(definitions);
  const [old = ''] = await files();
  await open({ apiKey: 'young' }).keep(definitions);
  await age(old, 601_000);
  await open().keep(definitions);
  expect(await files()).toHaveLength(2);
  expect(await open({ apiKey: 'young' }).read()).toEqual(definitions);
});

it('that a service gives none is noted once', async () => {
  expect([await open().noteAbsence(), await open().noteAbsence()]).toEqual([true, false]);
  const [path = ''] = await files('.none');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await open({ apiKey: 'other' }).noteAbsence()).toBe(true);
});

it('a folder that can’t be written keeps nothing, and stops nothing', async () => {
  const taken = join(folder, 'file');
  await writeFile(taken, '');
  const cache = definitionsCache(taken, { dialect: 'local', baseUrl: 'http://a' });
  await cache.keep(definitions);
  expect([await cache.read(), await cache.noteAbsence()]).toEqual([undefined, true]);
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { durationsFile } from '../../src/cli/durations-file.js';
import { join } from 'node:path';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'promptwire-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('what the jobs of a service took', () => {
  it('is kept for its owner alone, in a file of each service whose name does not tell it', async () => {
    const store = durationsFile(folder, 'https://secret.example');
    await expect(store.read()).rejects.toMatchObject({ code: 'ENOENT' });
    await store.write('one');
    expect(await store.read()).toBe('one');
    const other = durationsFile(folder, 'https://other.example');
    await other.write('two');
    expect(await store.read()).toBe('one');
    const names = await readdir(join(folder, 'durations'));
    expect([names.length, names.every((name) => /^[0-9a-f]{64}\.json$/u.test(name))]).toEqual([2, true]);
    expect((await stat(join(folder, 'durations'))).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, 'durations', names[0] ?? ''))).mode & 0o777).toBe(0o600);
  });
});

import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { join } from 'node:path';
import { readWatchSecret, type WatchSecretPlaces } from '../../../src/cli/input/watch-secret.js';
import { tmpdir } from 'node:os';

const folder = async (): Promise<string> => {
  const path = await mkdtemp(join(tmpdir(), 'promptwire-secret-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
};

const read = async (
  places: Partial<WatchSecretPlaces>,
  env: Record<string, string> = {},
): Promise<string | undefined> => {
  const secret = await readWatchSecret({ env }, { file: undefined, data: undefined, ...places });
  return secret && new TextDecoder().decode(secret);
};

const long = 'a-secret-of-more-than-32-characters';

describe('T10 the secret of watch tickets', () => {
  it('is kept with the data, the same after each start and closed to others', async () => {
    const data = join(await folder(), 'new');
    const [one, other] = await Promise.all([read({ data }), read({ data })]);
    expect(one).toMatch(/^[\w-]{43}$/u);
    expect([other, await read({ data })]).toEqual([one, one]);
    expect((await stat(join(data, 'watch-secret'))).mode & 0o777).toBe(0o600);
    expect((await readFile(join(data, 'watch-secret'), 'utf8')).trim()).toBe(one);
  });

  it('comes from a file before the variable before the data, and from nowhere else', async () => {
    const data = await folder();
    const file = join(data, 'secret');
    await writeFile(file, `${long}\n`, { mode: 0o600 });
    const env = { PROMPTWIRE_WATCH_SECRET: `${long} of the variable` };
    expect(await read({ file, data }, env)).toBe(long);
    expect(await read({ data }, env)).toBe(`${long} of the variable`);
    expect(await read({})).toBeUndefined();
  });

  it('is refused where it can be guessed or read by others, and is never told', async () => {
    const file = join(await folder(), 'secret');
    await expect(read({ file })).rejects.toThrow(`can't read ${file} (ENOENT)`);
    await expect(read({}, { PROMPTWIRE_WATCH_SECRET: 'short' })).rejects.toThrow(
      'the secret in PROMPTWIRE_WATCH_SECRET is short',
    );
    const bare = (length: number) => read({}, { PROMPTWIRE_WATCH_SECRET: ` ${'x'.repeat(length)} ` });
    await expect(bare(31)).rejects.toThrow('is short');
    expect(await bare(32)).toHaveLength(32);
    await writeFile(file, long);
    await chmod(file, 0o644);
    await expect(read({ file })).rejects.toThrow(`others on this machine can read the secret file ${file}`);
    await expect(read({ data: join(file, 'no-folder') })).rejects.toThrow("can't write");
  });

  it('is refused as well where it is kept with the data and others can read it', async () => {
    const data = await folder();
    await read({ data });
    const file = join(data, 'watch-secret');
    await chmod(file, 0o640);
    await expect(read({ data })).rejects.toThrow(
      `the secret file ${file}; close it to them: chmod 600 ${file}, or set PROMPTWIRE_WATCH_SECRET`,
    );
    expect(await read({ data }, { PROMPTWIRE_WATCH_SECRET: long })).toBe(long);
    await chmod(file, 0o600);
    expect(await read({ data })).toMatch(/^[\w-]{43}$/u);
  });
});

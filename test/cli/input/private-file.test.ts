import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isPrivate, refuseOpenFile } from '../../../src/cli/input/private-file.js';
import { tmpdir } from 'node:os';
import { UsageError } from '../../../src/cli/cli-io.js';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'promptwire-'));
});
afterEach(() => rm(folder, { recursive: true }));

const fileOf = async (mode: number): Promise<string> => {
  const file = join(folder, mode.toString(8));
  await writeFile(file, 'secret');
  await chmod(file, mode);
  return file;
};

describe('a file with a secret', () => {
  it.each([0o600, 0o400, 0o700, 0o500])('may be of mode %i: its owner alone can read it', async (mode) => {
    await expect(refuseOpenFile(await fileOf(mode), 'key')).resolves.toBeUndefined();
  });

  it.each([0o640, 0o604, 0o620, 0o602, 0o610, 0o601, 0o644, 0o666])(
    'is refused at mode %i: others can read or change it',
    async (mode) => {
      const file = await fileOf(mode);
      const refused = refuseOpenFile(file, 'token');
      await expect(refused).rejects.toBeInstanceOf(UsageError);
      await expect(refused).rejects.toThrow(`the token file ${file}; close it to them: chmod 600 ${file}`);
    },
  );

  it('is not found where there is none', async () => {
    await expect(refuseOpenFile(join(folder, 'none'), 'key')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('the rights of a file with a secret', () => {
  const [root, other] = [0, 1000];
  const judged = (mode: number, uid: number, isChangeable: boolean, platform = 'linux') =>
    isPrivate({ mode, uid }, () => Promise.resolve(isChangeable), platform);

  it('are well where its owner alone has them, whoever that is', async () => {
    for (const uid of [root, other]) expect(await judged(0o100600, uid, true)).toBe(true);
  });

  it('are well where root has put it there and this program can not change it, so that others may read it', async () => {
    expect(await judged(0o100444, root, false)).toBe(true);
    expect(await judged(0o100444, root, true)).toBe(false);
    expect(await judged(0o100444, other, false)).toBe(false);
  });

  it.each([0o464, 0o446, 0o420, 0o402])('are not well where others may write it: mode %i', async (mode) => {
    expect(await judged(mode, root, false)).toBe(false);
  });

  it('are not looked at on Windows', async () => {
    expect(await judged(0o100666, other, true, 'win32')).toBe(true);
  });
});

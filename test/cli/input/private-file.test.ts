import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { refuseOpenFile } from '../../../src/cli/input/private-file.js';
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

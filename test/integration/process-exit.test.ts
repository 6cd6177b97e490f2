import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { bundledFile } from '../helpers/bundle-program.js';
import { emulated } from '../helpers/emulated.js';

/** What a program of its own writes until it ends by itself with exit code 0. */
const linesOf = async (program: string): Promise<readonly string[]> => {
  const { emulator } = await emulated();
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [
      '--unhandled-rejections=strict',
      await bundledFile(join(import.meta.dirname, 'programs', `${program}.ts`), { withPackages: true }),
    ],
    { env: { PATH: process.env['PATH'], SERVICE_URL: emulator.baseUrl, SERVICE_KEY: emulator.apiKey } },
  );
  expect(stderr).toBe('');
  return stdout.trimEnd().split('\n');
};

describe('a program (law 6)', () => {
  it('I-9: ends by itself after its job, without close() and while its socket lingers', async () => {
    expect(await linesOf('leaves')).toEqual(['completed', 'open', 'exit']);
  });

  it('ends by itself when it stops watching, however its job goes on', async () => {
    expect((await linesOf('leaves-early')).at(-1)).toBe('exit');
  });

  it('I-13: holds neither socket nor timer once it has closed its client, and streams of frames need no error handler', async () => {
    const [one, other, ...rest] = await linesOf('closes');
    expect([one, other].toSorted()).toEqual(["a job's frames completed", 'frames completed']);
    expect(rest).toEqual(['', 'exit']);
  });
});

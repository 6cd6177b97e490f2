import { bundledFile } from '../helpers/bundle-program.js';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { describeWith, findProgram } from '../helpers/describe-with.js';
import { execFile, execFileSync } from 'node:child_process';
import { expect, it, onTestFinished } from 'vitest';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tmpdir } from 'node:os';

/** The program that makes namespaces, where this user may make them. */
const usable = (): string | undefined => {
  const program = findProgram('unshare');
  try {
    if (program !== undefined) execFileSync(program, ['-r', '--mount', 'true'], { stdio: 'ignore' });
    return program;
  } catch {
    return undefined;
  }
};

const readOnly = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && shift && "$@"';

describeWith('unshare', usable(), (unshare) => {
  it.each([
    ['mounted read-only, readable by all', 0o444, readOnly, 'taken'],
    ['mounted read-only, writable by its group', 0o464, readOnly, 'refused'],
    ['readable by all', 0o444, 'shift && "$@"', 'refused'],
    ['for root alone', 0o400, 'shift && "$@"', 'taken'],
  ])('a file of root with a secret, %s, is %4$s', async (_, mode, script, what) => {
    const folder = await mkdtemp(join(tmpdir(), 'promptwire-secret-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'key');
    await writeFile(file, 'sesame\n');
    await chmod(file, mode);
    const child = await bundledFile(join(import.meta.dirname, 'secret-child.ts'));
    // Whoever plays the test is root there.
    const args = ['-r', '--mount', 'sh', '-c', script, file, '--', process.execPath, child, file];
    const { stdout } = await promisify(execFile)(unshare, args, {
      env: { ...process.env, PROMPTWIRE_BASE_URL: 'http://127.0.0.1:1', PROMPTWIRE_API_KEY: '' },
    });
    expect(stdout).toBe(`command: ${what}\nclient: ${what}\n`);
  });
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { diskCheck, judgeNode, judgeRoom, nodeCheck } from '../../../../src/cli/doctor/checks/machine.js';

const disk = (out: string) => diskCheck.look({ out } as never);

describe('the check of Node.js', () => {
  it('says its version, and what to install in place of an older one', async () => {
    expect(await nodeCheck.look({} as never)).toEqual(judgeNode(process.versions.node));
    expect(judgeNode('24.1.0')).toEqual({ status: 'ok', message: 'Node.js 24.1.0' });
    expect(judgeNode('18.20.0')).toEqual({
      status: 'failed',
      message: 'Node.js 18.20.0 is too old',
      fix: 'Install Node.js 20.19, or 22.12 or later.',
    });
  });

  it.each([
    ['20.18.9', 'failed'],
    ['20.19.0', 'ok'],
    ['21.20.0', 'failed'],
    ['22.11.0', 'failed'],
    ['22.12.0', 'ok'],
    ['23.0.0', 'ok'],
    ['19.99.0', 'failed'],
    ['', 'failed'],
  ])('judges %s: %s', (version, status) => {
    expect(judgeNode(version).status).toBe(status);
  });
});

describe('the check of the folder for files', () => {
  it('looks at the nearest folder that is there', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'promptwire-disk-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    for (const out of [folder, join(folder, 'not', 'yet')])
      expect((await disk(out)).message).toMatch(
        new RegExp(`^(?:only )?\\d+\\.\\d GiB are free at ${folder}$`, 'u'),
      );
  });

  it('warns of less than a gibibyte', () => {
    expect(judgeRoom(1024 ** 3, '/out')).toEqual({ status: 'ok', message: '1.0 GiB are free at /out' });
    expect(judgeRoom(5.25 * 1024 ** 3, '/out').message).toBe('5.3 GiB are free at /out');
    expect(judgeRoom(1024 ** 3 - 1, '/out')).toEqual({
      status: 'warning',
      message: 'only 1.0 GiB are free at /out',
      fix: 'Make room, or name another folder with --out.',
    });
  });

  it('says that files can not be written there', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'promptwire-disk-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, 'file');
    await writeFile(path, '', { mode: 0o600 });
    expect(await disk(path)).toEqual({
      status: 'failed',
      message: `${path} can't be written (EACCES)`,
      fix: 'Name another folder with --out.',
    });
  });
});

it('what this machine lacks is for its user to mend', () => {
  expect([nodeCheck, diskCheck].map(({ name, exit, needs }) => [name, exit, needs])).toEqual([
    ['node', 'usage', undefined],
    ['disk', 'usage', undefined],
  ]);
});

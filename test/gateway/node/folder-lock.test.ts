import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { join } from 'node:path';
import { lockFolder } from '../../../src/gateway/node/folder-lock.js';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'promptwire-lock-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** What a process has left that did not release its lock. */
const leaveLock = async (name: string): Promise<void> => {
  await mkdir(join(folder, 'lock'));
  await writeFile(join(folder, 'lock', name), '');
};

it('gives a folder, which it makes where it is missing, to one process alone', async () => {
  const own = join(folder, 'a', 'b');
  const lock = await lockFolder(own);
  expect((await stat(join(own, 'lock'))).mode & 0o077).toBe(0);
  await expect(lockFolder(own)).rejects.toMatchObject({
    ...{ _tag: 'InvalidConfig', option: 'folder' },
    message: `Process ${process.pid} has the folder ${own}: two gateways can't share one.`,
  });
  await lock.release();
  expect(await readdir(own)).toEqual([]);
  await (await lockFolder(own)).release();
});

it('takes over from processes that are gone, also where another one has the number by now', async () => {
  for (const name of ['999999999-1-left', '0-1-left', 'no number', `${process.pid}-1-left`]) {
    await leaveLock(name);
    const lock = await lockFolder(folder);
    expect((await readdir(join(folder, 'lock'))).length).toBe(1);
    await lock.release();
  }
  expect(await readdir(folder)).toEqual([]);
});

it('takes a process for alive that it may not signal', async () => {
  await leaveLock('12345-1-left');
  vi.spyOn(process, 'kill').mockImplementation(() => {
    throw Object.assign(new Error(), { code: 'EPERM' });
  });
  await expect(lockFolder(folder)).rejects.toMatchObject({
    message: expect.stringMatching(/^Process 12345 /u) as string,
  });
});

it('gives the lock of a process that was killed to one of many that come at once', async () => {
  for (let round = 0; round < 50; round += 1) {
    await leaveLock(`${process.pid}-1-left`);
    const takers = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(folder)));
    const holders = takers.filter((taker) => taker.status === 'fulfilled');
    expect(holders).toHaveLength(1);
    await holders[0]?.value.release();
  }
  expect(await readdir(folder)).toEqual([]);
});

it('passes on why a folder can’t be locked', async () => {
  await writeFile(join(folder, 'file'), '');
  await expect(lockFolder(join(folder, 'file'))).rejects.toMatchObject({ code: 'ENOTDIR' });
});

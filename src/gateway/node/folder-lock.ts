import { mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { serviceError } from '../../errors/service-error.js';

/** A folder that one process has for itself. */
export interface FolderLock {
  readonly release: () => Promise<void>;
}

/**
 * Takes a folder, which is made where it is missing, for this process alone; rejects with `InvalidConfig` where a process that lives
 * has it.
 *
 * The lock is a folder `lock` with one file, whose name tells the process and when it began, so that the lock of one that was killed
 * is taken over, also where another process has its number by now (on Linux; elsewhere the number alone counts). It appears together
 * with its file, since a folder can't be renamed to one that holds a file. Nobody removes another's lock by mistake: no two of these
 * files have one name, and a folder that holds a file can't be removed.
 */
export const lockFolder = async (folder: string): Promise<FolderLock> => {
  const path = join(folder, 'lock');
  const name = `${process.pid}-${await startOf(process.pid)}-${randomUUID()}`;
  const draft = `${path}.${name}`;
  await mkdir(draft, { recursive: true, mode: 0o700 });
  try {
    await writeFile(join(draft, name), '', { mode: 0o600 });
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const holder = await removeDead(path);
      if (holder !== undefined)
        throw inUse(`Process ${holder} has the folder ${folder}: two gateways can't share one.`);
      if (await moved(draft, path)) return { release: () => removeLock(path, name) };
    }
    throw inUse(`The folder ${folder} can't be locked: other processes try as well.`);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
};

const inUse = (message: string): Error => serviceError('InvalidConfig', { option: 'folder', message });

/** Whether the draft is the lock now; false where another process was quicker. */
const moved = async (draft: string, path: string): Promise<boolean> => {
  try {
    await rename(draft, path);
    return true;
  } catch (error) {
    // Windows says EPERM of a folder that exists.
    if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return false;
  }
};

/** Removes the lock of a process that is gone; gives the number of the process that has it where that one lives. */
const removeDead = async (path: string): Promise<string | undefined> => {
  for (const name of await readdir(path).catch(() => [])) {
    const [pid = '', start = ''] = name.split('-');
    if (await isAlive(pid, start)) return pid;
    await removeLock(path, name);
  }
  return undefined;
};

const removeLock = async (path: string, name: string): Promise<void> => {
  await rm(join(path, name), { force: true });
  // By now it may be the lock of another process, with a file in it, or removed by one.
  await rmdir(path).catch(() => undefined);
};

const isAlive = async (number: string, start: string): Promise<boolean> => {
  const pid = Number(number);
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return (await startOf(pid)) === start;
};

/** When a process began, in the kernel's ticks; empty where the system does not tell. */
const startOf = async (pid: number): Promise<string> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name, in brackets, may hold blanks.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
};

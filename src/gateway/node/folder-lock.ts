import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
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
 * The file `lock` names the process and when it began, so that the lock of one that was killed is taken over, also where another
 * process has its number by now (on Linux; elsewhere the number alone counts). The file appears with its content in one step: no
 * process reads half a lock and takes it for a dead one's.
 */
export const lockFolder = async (folder: string): Promise<FolderLock> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'lock');
  const draft = `${path}.${process.pid}.${randomUUID()}`;
  await writeFile(draft, `${process.pid} ${await startOf(process.pid)}`, { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      if (await linked(draft, path)) return { release: () => rm(path, { force: true }) };
      const [pid = ''] = (await removeDead(path, `${draft}.dead`)) ?? [];
      if (pid !== '') throw inUse(`Process ${pid} has the folder ${folder}: two gateways can't share one.`);
    }
    throw inUse(`The folder ${folder} can't be locked: other processes try as well.`);
  } finally {
    await rm(draft, { force: true });
  }
};

const inUse = (message: string): Error => serviceError('InvalidConfig', { option: 'folder', message });

/** Whether the lock is the draft's now; false where there is one already. */
const linked = async (draft: string, path: string): Promise<boolean> => {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
};

/** Removes the lock of a process that is gone; gives what the lock says where its process lives. */
const removeDead = async (path: string, aside: string): Promise<readonly string[] | undefined> => {
  const read = await readLock(path);
  if (read === undefined) return undefined;
  if (await isAlive(read)) return read;
  // Another process may have taken it over since: then its lock is the one that is moved aside, and goes back.
  await rename(path, aside).catch(() => undefined);
  const moved = await readLock(aside);
  const isOther = moved !== undefined && (await isAlive(moved));
  if (isOther) await linked(aside, path);
  await rm(aside, { force: true });
  return isOther ? moved : undefined;
};

const readLock = async (path: string): Promise<readonly string[] | undefined> =>
  (await readFile(path, 'utf8').catch(() => undefined))?.split(' ');

const isAlive = async ([number = '', start = '']: readonly string[]): Promise<boolean> => {
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

import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** A folder that one process has for itself. */
export interface FolderLock {
  readonly release: () => Promise<void>;
}

/**
 * Takes a folder, which is made where it is missing, for this process alone; throws where a process that lives has it.
 *
 * The file `lock` names the process and when it began, so that the lock of one that was killed is taken over, also where another
 * process has its number by now (on Linux; elsewhere the number alone counts).
 */
export const lockFolder = async (folder: string): Promise<FolderLock> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'lock');
  const own = `${process.pid} ${await startOf(process.pid)}`;
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      const file = await open(path, 'wx', 0o600);
      await file.writeFile(own);
      await file.close();
      return { release: () => rm(path, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const [pid = '', start = ''] = (await readFile(path, 'utf8').catch(() => '')).split(' ');
    if (await isAlive(Number(pid), start)) {
      throw new Error(`Process ${pid} has the folder ${folder}: two gateways can't share one.`);
    }
    await rm(path, { force: true });
  }
  throw new Error(`The folder ${folder} can't be locked.`);
};

const isAlive = async (pid: number, start: string): Promise<boolean> => {
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

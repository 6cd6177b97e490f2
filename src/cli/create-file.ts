import { constants, copyFile, link, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from './error-code.js';
import { randomUUID } from 'node:crypto';

/**
 * Creates a file as a whole and durably, readable by its owner only; false if there is one of this name. Of several processes at
 * once, one gets true, and the others find its whole text: the name appears once everything is written.
 */
export const createFile = async (path: string, text: string, makeLink = link): Promise<boolean> => {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeDurably(draft, text);
    await makeLink(draft, path).catch(
      unlessWithoutLinks(() => copyFile(draft, path, constants.COPYFILE_EXCL)),
    );
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
  await syncFolder(dirname(path));
  return true;
};

/** Creates a file that must not exist, readable by its owner only, and writes it to the disk. */
export const writeDurably = async (path: string, text: string): Promise<void> => {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
};

/** Makes the names of a folder durable as well; not every system can sync a folder. */
export const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, 'r').catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
};

/** FAT and some network shares have no hard links; a copy there is exclusive as well, and a reader may find its beginning. */
const unlessWithoutLinks =
  (copy: () => Promise<void>) =>
  (error: unknown): Promise<void> =>
    ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'].includes(errorCode(error) ?? '')
      ? copy()
      : Promise.reject(error instanceof Error ? error : new Error(String(error)));

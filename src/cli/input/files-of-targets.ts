import { readdir, stat } from 'node:fs/promises';
import { errorCode } from '../error-code.js';
import { join } from 'node:path';
import { UsageError } from '../cli-io.js';

/**
 * The files that arguments name: of a folder those directly in it, by name as people count (`2.json` before `10.json`), but for hidden ones.
 * Throws `UsageError` for a folder without any, and for one that can't be read.
 */
export const filesOfTargets = async (targets: readonly string[]): Promise<readonly string[]> => {
  const lists: (readonly string[])[] = [];
  for (const target of targets) lists.push((await isFolder(target)) ? await filesIn(target) : [target]);
  return lists.flat();
};

/** Also of a link to one. */
const isFolder = async (target: string): Promise<boolean> =>
  target !== '-' && (await stat(target).catch(() => undefined))?.isDirectory() === true;

const filesIn = async (folder: string): Promise<readonly string[]> => {
  const names = await readdir(folder).catch((error: unknown) => {
    throw new UsageError(`can't read the folder ${folder} (${errorCode(error) ?? 'unknown reason'})`);
  });
  const byName = new Intl.Collator('en', { numeric: true });
  const shown = names.filter((name) => !name.startsWith('.')).toSorted(byName.compare);
  const files: string[] = [];
  for (const name of shown) {
    const path = join(folder, name);
    if (!(await isFolder(path))) files.push(path);
  }
  if (files.length > 0) return files;
  const inner =
    shown.length === 0 ? '' : ', and those of the folders in it are not taken: name these folders';
  throw new UsageError(`there are no files in ${folder}${inner}`);
};

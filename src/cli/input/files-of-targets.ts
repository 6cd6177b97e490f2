import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../cli-io.js';

/** The files that arguments name: of a folder those directly in it, by name, but for hidden ones. */
export const filesOfTargets = async (targets: readonly string[]): Promise<readonly string[]> => {
  const lists: (readonly string[])[] = [];
  for (const target of targets) lists.push((await isFolder(target)) ? await filesIn(target) : [target]);
  return lists.flat();
};

const isFolder = async (target: string): Promise<boolean> =>
  target !== '-' && (await stat(target).catch(() => undefined))?.isDirectory() === true;

const filesIn = async (folder: string): Promise<readonly string[]> => {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.'));
  if (names.length === 0) throw new UsageError(`there are no files in ${folder}`);
  const byName = new Intl.Collator('en', { numeric: true });
  return names
    .map(({ name }) => name)
    .toSorted(byName.compare)
    .map((name) => join(folder, name));
};

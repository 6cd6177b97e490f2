import { errorCode } from './error-code.js';
import { randomUUID } from 'node:crypto';
import { chmod, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { UsageError } from './cli-io.js';

/**
 * Replaces a file as a whole, or makes it: a reader finds the old text or the new one. Where that fails, the file stays as it was,
 * and nothing is left beside it. A symbolic link stays one, and the file that it leads to is replaced; a file that is there keeps its
 * permissions.
 *
 * @param mode - The permissions in their place.
 * Throws a `UsageError` where the file can't be written, and what the pieces throw.
 */
export const replaceFile = async (
  path: string,
  text: string | AsyncIterable<string>,
  mode?: number,
): Promise<void> => {
  const target = await realpath(path).catch(() => path);
  const draft = `${target}.${randomUUID()}`;
  try {
    const permissions = mode ?? (await permissionsOf(target));
    await writeFile(draft, text, { flag: 'wx', mode: permissions });
    if (permissions !== undefined) await chmod(draft, permissions);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    const isOfTheFile = error instanceof Error && 'syscall' in error;
    throw isOfTheFile ? new UsageError(`can't write ${path}: ${errorCode(error) ?? error.message}`) : error;
  }
};

const permissionsOf = (path: string): Promise<number | undefined> =>
  stat(path).then(
    ({ mode }) => mode & 0o777,
    () => undefined,
  );

import { errorCode } from './error-code.js';
import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { UsageError } from './cli-io.js';

/**
 * Replaces a file as a whole, or makes it: a reader finds the old text or the new one. Where that fails, the file stays as it was,
 * and nothing is left beside it.
 *
 * Throws a `UsageError` where the file can't be written, and what the pieces throw.
 */
export const replaceFile = async (
  path: string,
  text: string | AsyncIterable<string>,
  mode?: number,
): Promise<void> => {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, text, { flag: 'wx', mode });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    const isOfTheFile = error instanceof Error && 'syscall' in error;
    throw isOfTheFile ? new UsageError(`can't write ${path}: ${errorCode(error) ?? error.message}`) : error;
  }
};

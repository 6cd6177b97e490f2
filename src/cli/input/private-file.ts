import { stat } from 'node:fs/promises';
import { UsageError } from '../cli-io.js';

/** Refuses a file with a secret that others on the machine can read. */
export const refuseOpenFile = async (file: string, kind: 'key' | 'header' | 'token'): Promise<void> => {
  const { mode } = await stat(file);
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    throw new UsageError(
      `others on this machine can read the ${kind} file ${file}; close it to them: chmod 600 ${file}`,
    );
  }
};

import { access, constants, stat } from 'node:fs/promises';
import { UsageError } from '../cli-io.js';

/**
 * Refuses a file with a secret that others on the machine can read, unless the machine's owner has put it there: a file of root that
 * this program can't change, as container managers mount secrets.
 */
export const refuseOpenFile = async (
  file: string,
  kind: 'key' | 'header' | 'token' | 'secret',
): Promise<void> => {
  if (await isPrivate(await stat(file), () => canWrite(file))) return;
  throw new UsageError(
    `others on this machine can read the ${kind} file ${file}; close it to them: chmod 600 ${file}`,
  );
};

/** Whether only the owner of a file can read it, or it is one of root that this program can't change. Windows has other rights. */
export const isPrivate = async (
  { mode, uid }: { readonly mode: number; readonly uid: number },
  canChange: () => Promise<boolean>,
  platform: string = process.platform,
): Promise<boolean> =>
  platform === 'win32' || (mode & 0o077) === 0 || (uid === 0 && (mode & 0o022) === 0 && !(await canChange()));

const canWrite = (file: string): Promise<boolean> =>
  access(file, constants.W_OK).then(
    () => true,
    () => false,
  );

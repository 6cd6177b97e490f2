import { access, constants, statfs } from 'node:fs/promises';
import { type Check, failed, ok, warning } from '../finding.js';
import { dirname, resolve } from 'node:path';
import process from 'node:process';
import { reason } from '../ask.js';

/** The version of Node.js: the package needs 20.19, or 22.12 and later. */
export const nodeCheck: Check = {
  name: 'node',
  exit: 'usage',
  look: () => Promise.resolve(judgeNode(process.versions.node)),
};

/** Judges a version of Node.js. */
export const judgeNode = (version: string): ReturnType<typeof ok> => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isFine = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22;
  return isFine
    ? ok(`Node.js ${version}`)
    : failed(`Node.js ${version} is too old`, 'Install Node.js 20.19, or 22.12 or later.');
};

/** Bytes that a few videos take. */
const enough = 1024 ** 3;

/** The folder for files: whether it can be written, and has room. */
export const diskCheck: Check = {
  name: 'disk',
  exit: 'usage',
  look: async ({ out }) => {
    const folder = await existing(resolve(out));
    try {
      await access(folder, constants.W_OK | constants.X_OK);
    } catch (error) {
      return failed(`${folder} can't be written (${reason(error)})`, 'Name another folder with --out.');
    }
    const { bavail, bsize } = await statfs(folder);
    return judgeRoom(bavail * bsize, folder);
  },
};

/** Judges how many bytes are free at a folder. */
export const judgeRoom = (free: number, folder: string): ReturnType<typeof ok> => {
  const text = `${(free / 1024 ** 3).toFixed(1)} GiB are free at ${folder}`;
  return free < enough ? warning(`only ${text}`, 'Make room, or name another folder with --out.') : ok(text);
};

/** The folder itself, or the nearest above that is there. */
const existing = async (folder: string): Promise<string> =>
  access(folder).then(
    () => folder,
    () => (dirname(folder) === folder ? folder : existing(dirname(folder))),
  );

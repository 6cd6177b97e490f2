import { access, link, lstat, mkdir, open, realpath, rename, statfs, unlink } from 'node:fs/promises';
import { constants, openAsBlob } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import type { Files, PartFile } from '../platform.js';
import { finished } from 'node:stream/promises';
import { once } from 'node:events';
import type { Writable } from 'node:stream';

/**
 * Files on this machine's disk.
 *
 * A part file is created exclusively and without following a link, and becomes the final file by one operation of the
 * file system, so that neither a half-written file nor an overwritten one can be seen under the final name.
 */
export const nodeFiles: Files = {
  folder: async (path) => {
    await mkdir(path, { recursive: true });
    return realpath(path);
  },
  create: async (folder, name, { overwrite = false } = {}) => {
    const target = join(folder, name);
    if (dirname(target) !== folder) throw failure('EINVAL', 'the name leaves the folder');
    if ((await realpath(folder)) !== folder) throw failure('ELOOP', 'the folder is somewhere else by now');
    const { path, handle } = await createPart(target);
    const stream = handle.createWriteStream({ highWaterMark: gatheredBytes });
    const { write, end } = boundedWrites(stream);
    return {
      write,
      commit: async () => {
        await end();
        return overwrite ? replace(path, target) : keepBoth(path, target);
      },
      discard: async () => {
        await finished(stream.destroy()).catch(() => undefined);
        await unlink(path).catch(ignore('ENOENT'));
      },
    } satisfies PartFile;
  },
  freeBytes: async (folder) => {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  },
  open: async (path) => {
    await access(path, constants.R_OK);
    return openAsBlob(path);
  },
};

/** How much a file gathers in memory while it waits for the disk: 1 MiB. */
const gatheredBytes = 1_048_576;

const maxTries = 10_000;

/** Windows has no such flag; there creating exclusively fails on a link as well. */
const noFollow = (constants as Partial<typeof constants>).O_NOFOLLOW ?? 0;

/** A part file that an earlier run left behind, or that another one writes now, is not touched. */
const createPart = async (target: string) => {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noFollow;
  for (let n = 1; ; n += 1) {
    const path = `${n === 1 ? target : numbered(target, n)}.part`;
    try {
      return { path, handle: await open(path, flags, 0o666) };
    } catch (cause) {
      if (codeOf(cause) !== 'EEXIST' || n === maxTries) throw cause;
    }
  }
};

/** Takes the first free name: a link is made only where there is nothing yet. */
const keepBoth = async (path: string, target: string): Promise<string> => {
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? target : numbered(target, n);
    try {
      await link(path, name);
    } catch (cause) {
      const code = codeOf(cause);
      const isTaken = code === 'EEXIST' || (unlinkable.has(code) && (await exists(name)));
      if (isTaken && n < maxTries) continue;
      if (isTaken || !unlinkable.has(code)) throw cause;
      await rename(path, name);
      return name;
    }
    await unlink(path);
    return name;
  }
};

/** What file systems without hard links answer; there a look before the rename has to do. */
const unlinkable: ReadonlySet<string> = new Set([
  'EPERM',
  'ENOSYS',
  'ENOTSUP',
  'EOPNOTSUPP',
  'EMLINK',
  'EXDEV',
]);

/** A folder or a link of that name stays: a rename would put the file in place of the link itself, never through it. */
const replace = async (path: string, target: string): Promise<string> => {
  await rename(path, target);
  return target;
};

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

const numbered = (path: string, n: number): string => {
  const extension = extname(path);
  return `${path.slice(0, path.length - extension.length)}~${n}${extension}`;
};

const codeOf = (cause: unknown): string =>
  typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : '';

const ignore =
  (code: string) =>
  (cause: unknown): void => {
    if (codeOf(cause) !== code) throw cause;
  };

const failure = (code: string, message: string): Error => Object.assign(new Error(message), { code });

/**
 * Writes chunks to a stream, which gathers up to 1 MiB while it waits for the disk.
 *
 * What the disk refuses is thrown by a later write, by every call after it and by `end`.
 */
export const boundedWrites = (stream: Writable) => {
  stream.on('error', () => undefined);
  return {
    write: async (chunk: Uint8Array): Promise<void> => {
      if (stream.errored !== null) throw stream.errored;
      if (!stream.write(chunk)) await once(stream, 'drain');
    },
    /** Resolves when everything is written. */
    end: async (): Promise<void> => {
      stream.end();
      await finished(stream);
    },
  };
};

import { access, link, lstat, mkdir, open, realpath, rename, statfs, unlink } from 'node:fs/promises';
import { constants } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { diskBlob } from './multipart.js';
import type { Files, PartFile } from '../platform.js';
import { giveBack } from './give-back.js';

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
    const { write, flush } = gatheredWrites(handle);
    let open = true;
    const close = async (): Promise<void> => {
      if (!open) return;
      open = false;
      await handle.close();
    };
    return {
      write,
      commit: async () => {
        await flush();
        await close();
        return overwrite ? replace(path, target) : keepBoth(path, target);
      },
      discard: async () => {
        await close();
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
    return diskBlob(path);
  },
};

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

/** Takes the first name that nobody has: a link is made only where there is nothing yet. */
const keepBoth = async (path: string, target: string): Promise<string> => {
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? target : numbered(target, n);
    try {
      await link(path, name);
      await unlink(path);
      return name;
    } catch (cause) {
      const code = codeOf(cause);
      if (code === 'EEXIST' && n < maxTries) continue;
      if (!unlinkable.has(code)) throw cause;
      if (!(await exists(name))) {
        await rename(path, name);
        return name;
      }
    }
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

/** What is written to; `writev` may take less than it was given. */
export interface WriteTarget {
  readonly writev: (pieces: readonly Uint8Array[]) => Promise<{ readonly bytesWritten: number }>;
}

/** Writes pieces in their order, many at a time. */
export interface GatheredWrites {
  /** Takes the piece over, which is nobody else's from now on; resolves when there is room for the next one. */
  readonly write: (piece: Uint8Array) => Promise<void>;
  /** Resolves when everything is written. */
  readonly flush: () => Promise<void>;
}

/**
 * Writes behind: while one batch of 512 KiB is on its way to the disk the next one is gathered, and no third.
 *
 * Each write is a trip to another thread, which for pieces as a network gives them takes longer than the bytes do. The
 * memory of a batch is given back as soon as it is written. A failure is thrown by the write that fills the next batch or
 * by `flush`, and by every call after that.
 */
export const gatheredWrites = (target: WriteTarget): GatheredWrites => {
  let batch: Uint8Array[] = [];
  let bytes = 0;
  let writing: Promise<void> = Promise.resolve();

  const begin = async (): Promise<void> => {
    await writing;
    const pieces = batch;
    [batch, bytes] = [[], 0];
    writing = writeAll(target, pieces);
    // It is thrown where the batch is waited for.
    writing.catch(() => undefined);
  };
  return {
    write: async (piece) => {
      batch.push(piece);
      bytes += piece.byteLength;
      if (bytes >= batchBytes) await begin();
    },
    flush: async () => {
      await begin();
      await writing;
    },
  };
};

const batchBytes = 512 * 1024;

const writeAll = async (target: WriteTarget, pieces: readonly Uint8Array[]): Promise<void> => {
  let left = pieces.filter(({ byteLength }) => byteLength > 0);
  while (left.length > 0) left = without(left, (await target.writev(left)).bytesWritten);
  giveBack(pieces);
};

const without = (pieces: readonly Uint8Array[], written: number): Uint8Array[] => {
  let left = written;
  const next = pieces.findIndex(({ byteLength }) => {
    if (left < byteLength) return true;
    left -= byteLength;
    return false;
  });
  const [first, ...rest] = next === -1 ? [] : pieces.slice(next);
  return first === undefined ? [] : [first.subarray(left), ...rest];
};

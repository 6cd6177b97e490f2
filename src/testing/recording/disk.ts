import { fileSystemError } from '../../core/files/file-system-error.js';
import { serviceError } from '../../core/errors/service-error.js';

/** The functions of `node:fs` that a recorder calls. */
interface Disk {
  readonly openSync: (path: string, flags: string, mode: number) => number;
  readonly writeSync: (file: number, text: string) => number;
  readonly closeSync: (file: number) => void;
  readonly readFileSync: (path: string, encoding: 'utf8') => string;
}

/** Asked for by name when it is needed, so that this entry also loads in a page. */
const disk = (option: string): Disk => {
  const { process } = globalThis as {
    readonly process?: { readonly getBuiltinModule?: (name: string) => unknown };
  };
  const found = process?.getBuiltinModule?.('node:fs');
  if (found !== undefined) return found as Disk;
  throw serviceError('InvalidConfig', {
    option,
    message: `${option} is a path, and there is no disk here: give a function that takes the lines, or a Blob to read.`,
  });
};

/** A file that lines are written to, each at once, so that a crash loses none. */
export interface LineFile {
  readonly write: (line: string) => void;
  readonly close: () => void;
}

/** Opens a file that only its owner can read, and empties it; throws `FileSystem`, or `InvalidConfig` where there is no disk. */
export const openLineFile = (path: string): LineFile => {
  const { openSync, writeSync, closeSync } = disk('path');
  const file = orFileSystem(path, () => openSync(path, 'w', 0o600));
  return {
    write: (line) => {
      orFileSystem(path, () => writeSync(file, line));
    },
    close: () => orFileSystem(path, () => closeSync(file)),
  };
};

/** Reads a text file; throws as {@link openLineFile} does. */
export const readTextFile = (path: string): string => {
  const { readFileSync } = disk('source');
  return orFileSystem(path, () => readFileSync(path, 'utf8'));
};

const orFileSystem = <A>(path: string, work: () => A): A => {
  try {
    return work();
  } catch (cause) {
    throw fileSystemError(cause, path);
  }
};

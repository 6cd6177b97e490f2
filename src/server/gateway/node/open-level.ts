import type { ClassicLevel } from 'classic-level';
import { join } from 'node:path';
import { loadClassicLevel } from './load-classic-level.js';
import { mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { serviceError } from '../../../core/errors/service-error.js';

/** The database of a folder, open, which this process has for itself. */
export interface FolderLevel {
  readonly level: ClassicLevel;
  /** Opens it anew after a write that failed; rejects, and leaves it as it is, while the disk takes no more. */
  readonly reopen: () => Promise<void>;
  /** Makes a `ServiceError` of what the database rejects with: `FileSystem`, or `InvalidConfig` where it needs a repair. */
  readonly toError: (error: unknown) => unknown;
}

/**
 * How much the database's log holds before it becomes a table. To be opened anew after the disk was full, the database needs as much
 * room as its log has.
 */
const writeBufferSize = 1024 * 1024;

/** Where the database of a folder is. */
export const levelPath = (folder: string): string => join(folder, 'store');

/**
 * Opens the database of a folder, which is made where it is missing.
 *
 * Rejects with `InvalidConfig` where another process has it, where it is damaged, and where the folder holds the files of an older
 * version; with `FileSystem` where the system refuses.
 */
export const openLevel = async (folder: string): Promise<FolderLevel> => {
  if (folder.trim() === '') throw blankFolder();
  const { ClassicLevel: Level } = await loadClassicLevel();
  const path = levelPath(folder);
  await makeFolder(folder, path);
  await refuseOldFiles(folder);
  const damage = await damageOfCurrent(path);
  if (damage !== undefined) throw damagedFolder(folder, damage);
  const level = new Level(path, { writeBufferSize });
  const open = (): Promise<void> =>
    level.open().catch((error: unknown) => {
      throw openError(folder, error);
    });
  await open();
  return {
    level,
    reopen: async () => {
      await probe(path);
      await level.close();
      await open();
    },
    toError: (error) => (levelCode(error) === undefined ? error : levelError(folder, error)),
  };
};

const blankFolder = (): Error =>
  serviceError('InvalidConfig', {
    option: 'folder',
    message: 'The name of the folder is blank.',
    hint: 'Name the folder; the variable that it comes from may be unset in this process.',
  });

/** Says that a folder is damaged, and what repairs it. */
const damagedFolder = (folder: string, reason: string, cause?: unknown): Error =>
  serviceError('InvalidConfig', {
    option: 'folder',
    message: `The store in ${folder} is damaged: ${reason}. "promptwire serve --check ${folder} --repair" makes of it what can be read.`,
    hint: 'Copy the folder, repair it with --check --repair, or take another folder.',
    cause,
  });

/** The secrets of webhooks are in there, so no other user may read it. */
const makeFolder = async (folder: string, path: string): Promise<void> => {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await mkdir(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw fileSystemError(path, error);
  }
};

const oldFiles = ['jobs.jsonl', 'events.jsonl', 'assets.jsonl', 'webhooks.jsonl'];

const refuseOldFiles = async (folder: string): Promise<void> => {
  const names = await readdir(folder);
  const old = names.filter((name) => oldFiles.includes(name));
  if (old.length === 0) return;
  throw serviceError('InvalidConfig', {
    option: 'folder',
    message: `The folder ${folder} holds jobs in the files of promptwire 0.1.0 (${old.join(', ')}), which this version does not read.`,
    hint: 'Let promptwire 0.1.0 run its jobs to their ends, or take another folder.',
  });
};

/** What is wrong with the file that names the others: LevelDB would begin anew without it, and takes any text in it for a name. */
const damageOfCurrent = async (path: string): Promise<string | undefined> => {
  const names = await readdir(path);
  if (!names.includes('CURRENT'))
    return names.some((name) => /^\d+\.(?:ldb|sst|log)$/u.test(name))
      ? 'its file CURRENT is missing'
      : undefined;
  const named = await readFile(join(path, 'CURRENT'), 'utf8').catch((error: unknown) => {
    throw fileSystemError(path, error);
  });
  return /^MANIFEST-\d+\n$/u.test(named) ? undefined : 'its file CURRENT names no file of the store';
};

const openError = (folder: string, error: unknown): Error => {
  if (levelCode(error) === 'LEVEL_LOCKED') {
    return serviceError('InvalidConfig', {
      option: 'folder',
      message: `Another gateway has the folder ${folder}: two can't share one.`,
      hint: 'End the other one, take another folder, or keep jobs in Redis (redisPorts of promptwire/queue).',
      cause: error,
    });
  }
  return levelError(folder, error);
};

/** Makes an error of what the database rejects with. A file that is gone or too short is an error of input and output to it. */
const levelError = (folder: string, error: unknown): Error => {
  const reason = reasonOf(error);
  const isDamage =
    levelCode(error) === 'LEVEL_CORRUPTION' || /: (?:No such file|Invalid argument)/u.test(reason);
  return isDamage ? damagedFolder(folder, reason, error) : fileSystemError(levelPath(folder), error);
};

/** As the database says it, which gives an error for the call and one for its cause. */
const levelCode = (error: unknown): string | undefined => {
  const { code, cause } = (error ?? {}) as { readonly code?: unknown; readonly cause?: unknown };
  if (cause !== undefined && code === 'LEVEL_DATABASE_NOT_OPEN') return levelCode(cause) ?? code;
  return typeof code === 'string' && code.startsWith('LEVEL_') ? code : undefined;
};

const reasonOf = (error: unknown): string => {
  const { message, cause } = (error ?? {}) as { readonly message?: unknown; readonly cause?: unknown };
  return cause === undefined ? String(message) : reasonOf(cause);
};

/** LevelDB gives the system's words for an error. */
const codes: Readonly<Record<string, string>> = {
  'No space left on device': 'ENOSPC',
  'Disk quota exceeded': 'EDQUOT',
  'Permission denied': 'EACCES',
  'Read-only file system': 'EROFS',
  'Too many open files': 'EMFILE',
};

/** Makes a `FileSystem` error of what the database or the system says. */
const fileSystemError = (path: string, error: unknown): Error => {
  const reason = reasonOf(error);
  const [, known] = Object.entries(codes).find(([words]) => reason.includes(words)) ?? [];
  const own = (error as { readonly code?: unknown } | undefined)?.code;
  const code = known ?? (levelCode(error) === undefined && typeof own === 'string' ? own : 'EIO');
  return serviceError('FileSystem', {
    code,
    path,
    message: `The store can't be read or written: ${reason}`,
    cause: error,
  });
};

/** To open it, the database writes what its log holds to another file: the disk has to take as much. */
const probe = async (path: string): Promise<void> => {
  const logs = (await readdir(path)).filter((name) => name.endsWith('.log'));
  const sizes = await Promise.all(logs.map(async (name) => (await stat(join(path, name))).size));
  const size = sizes.reduce((sum, one) => sum + one, 128 * 1024);
  const name = join(path, 'probe');
  try {
    const file = await open(name, 'w', 0o600);
    try {
      await file.writeFile(Buffer.alloc(size));
      await file.datasync();
    } finally {
      await file.close();
    }
  } catch (error) {
    throw fileSystemError(path, error);
  } finally {
    await rm(name, { force: true });
  }
};

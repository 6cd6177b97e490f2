import { createHash, randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import * as t from 'io-ts';

/**
 * What is kept of the one submission of a job key. Without `promptId` it is an intent: a run was about to submit, and
 * whether it did is not known. There is no key in it, neither the service's nor the job's.
 */
export interface JobRecord {
  /** Address of the service, without credentials. */
  readonly service: string;
  /** Fingerprint of the workflow as it was given. */
  readonly workflow: string;
  /** When the intent was written, as ISO 8601. */
  readonly startedAt: string;
  readonly promptId?: string;
}

/** Reads a record; `undefined` for what is none, as after a crash in the middle of writing. */
export const readJobRecord = (text: string): JobRecord | undefined => {
  try {
    const read = codec.decode(JSON.parse(text));
    return read._tag === 'Right' && read.right.promptId !== '' ? read.right : undefined;
  } catch {
    return undefined;
  }
};

const codec = t.intersection([
  t.type({ service: t.string, workflow: t.string, startedAt: t.string }),
  t.partial({ promptId: t.string }),
]);

/** The file of one job key; only its owner can read it. */
export interface RecordFile {
  readonly path: string;
  /** Its text; `undefined` where there is no file. */
  readonly read: () => Promise<string | undefined>;
  /** Makes the file, durably, and gives false where it is there already: of many processes at once one gets true. */
  readonly create: (record: JobRecord) => Promise<boolean>;
  /** Replaces the file as a whole, durably: a reader finds the old text or the new one. */
  readonly replace: (record: JobRecord) => Promise<void>;
  readonly remove: () => Promise<void>;
}

/** Names the file of a job key in a state folder; nothing is touched yet. The key can't be read from the name. */
export const recordFile = (folder: string, jobKey: string): RecordFile => {
  const path = join(folder, 'jobs', `${createHash('sha256').update(jobKey).digest('hex')}.json`);
  return {
    path,
    read: () => readFile(path, 'utf8').catch(onlyCode('ENOENT', undefined)),
    create: async (record) => {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      return write(path, record).then(() => true, onlyCode('EEXIST', false));
    },
    replace: async (record) => {
      const draft = `${path}.${randomUUID()}`;
      await write(draft, record);
      await rename(draft, path);
      await syncFolder(dirname(path));
    },
    remove: () => rm(path, { force: true }),
  };
};

const write = async (path: string, record: JobRecord): Promise<void> => {
  // "x" is the lock: the file is made by exactly one of those who try.
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(record)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await syncFolder(dirname(path));
};

// So that the name survives a power cut, too; not every system can do this to a folder.
const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, 'r').catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
};

const onlyCode =
  <A>(code: string, value: A) =>
  (error: unknown): A => {
    if (error instanceof Error && 'code' in error && error.code === code) return value;
    throw error;
  };

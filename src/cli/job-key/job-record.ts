import { createHash, randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { createFile, syncFolder, writeDurably } from '../create-file.js';
import { errorCode } from '../error-code.js';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import * as t from 'io-ts';

/**
 * The record of the submission of a job key. Without `promptId` it is an intent: a run was about to submit, and whether it
 * did is unknown. It contains neither the API key nor the job key.
 */
export interface JobRecord {
  /** Address of the service, without credentials. */
  readonly service: string;
  /** Hash of the workflow as given. */
  readonly workflow: string;
  /** When the intent was written, as ISO 8601. */
  readonly startedAt: string;
  readonly promptId?: string;
}

/** Reads a record; undefined for an invalid one, as after a crash during writing. */
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
  /** Its text; `undefined` if there is no file. */
  readonly read: () => Promise<string | undefined>;
  /** Creates the file durably; false if it exists: of several processes at once, one gets true. */
  readonly create: (record: JobRecord) => Promise<boolean>;
  /** Replaces the file as a whole, durably: a reader finds the old text or the new one. */
  readonly replace: (record: JobRecord) => Promise<void>;
  readonly remove: () => Promise<void>;
}

/** The file of a job key in a state folder, not yet opened. Its name does not reveal the key. */
export const recordFile = (folder: string, jobKey: string): RecordFile => {
  const path = join(folder, 'jobs', `${createHash('sha256').update(jobKey).digest('hex')}.json`);
  return {
    path,
    read: () => readFile(path, 'utf8').catch(onlyCode('ENOENT', undefined)),
    create: async (record) => {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      return createFile(path, textOf(record));
    },
    replace: async (record) => {
      const draft = `${path}.${randomUUID()}`;
      await writeDurably(draft, textOf(record));
      await rename(draft, path);
      await syncFolder(dirname(path));
    },
    remove: () => rm(path, { force: true }),
  };
};

const textOf = (record: JobRecord): string => `${JSON.stringify(record)}\n`;

const onlyCode =
  <A>(code: string, value: A) =>
  (error: unknown): A => {
    if (errorCode(error) === code) return value;
    throw error;
  };

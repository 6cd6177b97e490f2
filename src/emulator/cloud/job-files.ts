import { asJsonObject, type JsonObject } from '../http/request.js';
import { createHash } from 'node:crypto';
import type { EventData } from '../messages.js';
import type { FileDescriptor } from '../engine/node-class.js';
import type { FileStore, StoredFile } from '../store/file-store.js';
import type { Job } from '../scheduler/job.js';

/** A file of a job, and which output it is. */
export interface JobFile {
  /** The id of the asset: the same at each look. */
  readonly id: string;
  readonly file: StoredFile;
  readonly nodeId: string;
  readonly key: string;
  readonly index: number;
}

/** The output files of a node, without its texts and flags. */
export const filesOf = (output: EventData): readonly unknown[] =>
  Object.values(output)
    .filter((list) => Array.isArray(list))
    .flat()
    .filter((element: unknown) => readFile(element) !== undefined);

/** The files that a job has made and that are still stored. */
export const filesOfJob = (job: Job, files: Pick<FileStore, 'find'>): readonly JobFile[] =>
  [...job.outputs].flatMap(([nodeId, output]) =>
    Object.entries(output).flatMap(([key, list]) =>
      (Array.isArray(list) ? (list as unknown[]) : []).flatMap((element, index) => {
        const file = storedFile(element, files);
        return file === undefined
          ? []
          : [{ id: idOf([job.id, nodeId, key, String(index)]), file, nodeId, key, index }];
      }),
    ),
  );

/** The path of the short link of an asset. */
export const linkTo = (assetId: string): string => `/api/s/${assetId.replaceAll('-', '')}`;

/** The outputs with the short link of each file. */
export const withLinks = (
  outputs: JsonObject,
  job: Job,
  files: Pick<FileStore, 'find'>,
): Readonly<Record<string, unknown>> => {
  const links = new Map(
    filesOfJob(job, files).map(({ id, nodeId, key, index }) => [[nodeId, key, index].join('|'), linkTo(id)]),
  );
  return mapValues(outputs, (output, nodeId) =>
    mapValues(asJsonObject(output) ?? {}, (list, key) =>
      Array.isArray(list)
        ? (list as unknown[]).map((element, index) => {
            const link = links.get([nodeId, key, index].join('|'));
            return link === undefined ? element : { ...asJsonObject(element), short_url: link };
          })
        : list,
    ),
  );
};

const mapValues = (
  object: Readonly<Record<string, unknown>>,
  change: (value: unknown, key: string) => unknown,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));

const storedFile = (element: unknown, files: Pick<FileStore, 'find'>): StoredFile | undefined => {
  const { filename, type, subfolder } = readFile(element) ?? {};
  return filename === undefined ? undefined : files.find(filename, type, subfolder);
};

const readFile = (element: unknown): Partial<FileDescriptor> | undefined => {
  const descriptor = asJsonObject(element);
  return typeof descriptor?.['filename'] === 'string' ? descriptor : undefined;
};

const idOf = (parts: readonly string[]): string => {
  const digits = createHash('sha256').update(parts.join('|')).digest('hex');
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
};

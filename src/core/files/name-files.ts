import type { DownloadOptions, DownloadSource, JobOfSource, JobOutputs } from './download-state.js';
import { type OutputFile, outputFiles } from '../state/output-files.js';
import { safeFileName, splitName } from './safe-file-name.js';

/** A file and the name to save it under, which is safe and differs from all others of its download. */
export interface NamedFile {
  readonly file: OutputFile;
  /** Its place among the files of the download, from 0. */
  readonly index: number;
  readonly name: string;
}

/** Lists the files that a download fetches, each with its name. */
export const namedFiles = <Source extends DownloadSource>(
  source: Source,
  {
    include,
    filter = () => true,
    name = ({ filename }) => filename,
  }: Pick<DownloadOptions<JobOfSource<Source>>, 'include' | 'filter' | 'name'>,
): readonly NamedFile[] => {
  const job = (isJob(source) ? source : undefined) as JobOfSource<Source>;
  const taken: TakenNames = new Map();
  return listOf(source, include)
    .filter((file) => filter(file, job))
    .map((file, index) => ({
      file,
      index,
      name: uniqueName(safeFileName(name(file, job, index)), taken),
    }));
};

const listOf = (source: DownloadSource, include: DownloadOptions['include']): readonly OutputFile[] => {
  if (isList(source)) return source;
  const files = isJob(source) ? outputFiles(source.outputs, source) : outputFiles(source);
  return include === 'temp' ? files : files.filter(({ type }) => type === 'output');
};

const isList = (source: DownloadSource): source is readonly OutputFile[] => Array.isArray(source);

/** Outputs hold an object for each node, even for one whose id is `promptId`. */
const isJob = (source: DownloadSource): source is JobOutputs =>
  'promptId' in source && typeof source.promptId === 'string';

/** The keys of names that are taken, each with the number that the next name of this key tries first. */
export type TakenNames = Map<string, number>;

/**
 * Makes `name` differ from every key in `taken` by `~2`, `~3`, … before its extension, and adds its key to `taken`.
 */
export const uniqueName = (name: string, taken: TakenNames): string => {
  const key = collisionKey(name);
  const next = taken.get(key);
  if (next === undefined) {
    taken.set(key, 2);
    return name;
  }
  const { stem, extension } = splitName(name);
  for (let n = next; ; n += 1) {
    const unique = `${stem}~${n}${extension}`;
    const uniqueKey = collisionKey(unique);
    if (taken.has(uniqueKey)) continue;
    taken.set(uniqueKey, 2).set(key, n + 1);
    return unique;
  }
};

/**
 * The key under which two names would meet on some file system: case and composition do not count.
 *
 * Upper case comes last, since both forms of the sharp s become SS only from its lower case.
 */
export const collisionKey = (name: string): string =>
  name.normalize('NFKC').toLowerCase().toUpperCase().normalize('NFKC');

import { safeFileName } from '../protocol/names/safe-file-name.js';
import { type TakenNames, uniqueName } from '../protocol/names/unique-name.js';
import { type OutputFile, outputFiles } from '../protocol/outputs/output-files.js';
import type { DownloadOptions, DownloadSource, JobOfSource, JobOutputs } from './download-state.js';

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
    filter = () => true,
    name = ({ filename }) => filename,
  }: Pick<DownloadOptions<JobOfSource<Source>>, 'filter' | 'name'>,
): readonly NamedFile[] => {
  const job = (isJob(source) ? source : undefined) as JobOfSource<Source>;
  const taken: TakenNames = new Map();
  return listOf(source)
    .filter((file) => filter(file, job))
    .map((file, index) => ({
      file,
      index,
      name: uniqueName(safeFileName(name(file, job, index)), taken),
    }));
};

const listOf = (source: DownloadSource): readonly OutputFile[] => {
  if (isList(source)) return source;
  return isJob(source) ? outputFiles(source.outputs, source) : outputFiles(source);
};

const isList = (source: DownloadSource): source is readonly OutputFile[] => Array.isArray(source);

/** Outputs hold an object for each node, even for one whose id is `promptId`. */
const isJob = (source: DownloadSource): source is JobOutputs =>
  'promptId' in source && typeof source.promptId === 'string';

import type { DownloadOptions, DownloadSource, JobOfSource, JobOutputs } from './download-state.js';
import { type OutputFile, outputFiles } from '../state/output-files.js';
import { safeFileName } from '../names/safe-file-name.js';
import { type TakenNames, uniqueName } from '../names/unique-name.js';

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
    name = ({ name: own, filename }) => own ?? filename,
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

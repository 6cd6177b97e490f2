import { lastValueFrom, takeUntil, tap } from 'rxjs';
import { type Client, type DownloadOptions, type OutputFile, outputFiles } from '../../node.js';
import { aborted } from '../aborted.js';
import type { Session } from '../session.js';
import type { SavingFlags } from './common-options.js';
import type { EndedJob } from './ended-job.js';
import { nodeTitles } from './node-titles.js';
import { outputTexts } from './output-texts.js';

/** How {@link saveOutputs} saves. */
export interface SaveOptions extends Pick<DownloadOptions, 'overwrite'>, SavingFlags {}

/** Takes what {@link saveOutputs} needs out of the options of a command. */
export const saveOptions = ({ out, include }: SavingFlags): SaveOptions => ({
  out,
  ...(include === undefined ? {} : { include }),
});

/** Reports every output of a job, and fetches the files into the folder; each is reported once it is whole. */
export const saveOutputs = async (
  session: Session,
  client: Client,
  { promptId, phase, outputs, nodes, workflow }: EndedJob,
  { out, include, overwrite }: SaveOptions,
): Promise<void> => {
  const files = outputFiles(outputs, { nodes });
  for (const file of files) session.report({ kind: 'output', promptId, file });
  const texts = outputTexts(outputs, nodes);
  const titles = nodeTitles(workflow);
  for (const text of texts) session.report({ kind: 'text', promptId, ...text, titles });
  if (files.length === 0) {
    if (phase === 'completed' && texts.length === 0)
      session.report({ kind: 'warning', message: 'the job has no files' });
    return;
  }

  const chosen = include === 'temp' ? files : lasting(files);
  if (chosen.length < files.length) {
    session.report({ kind: 'skipped', promptId, count: files.length - chosen.length });
  }
  session.reached('download', promptId);
  let saved = 0;
  const downloading = client.download(chosen, out, { overwrite, signal: session.stop }).pipe(
    tap((state) => {
      session.report({ kind: 'download', state });
      for (const file of state.files.slice(saved)) session.report({ kind: 'saved', promptId, file });
      saved = state.files.length;
    }),
    takeUntil(aborted(session.stop)),
  );
  const last = await lastValueFrom(downloading, { defaultValue: undefined });
  if (last?.done !== true) throw new Error('the download ended before every file was there');
};

/** Without the temporary files of preview nodes, unless the job made nothing else. */
const lasting = (files: readonly OutputFile[]): readonly OutputFile[] => {
  const rest = files.filter(({ type }) => type !== 'temp');
  return rest.length === 0 ? files : rest;
};

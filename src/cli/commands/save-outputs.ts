import { lastValueFrom, takeUntil, tap } from 'rxjs';
import { type Client, type OutputFile, outputFiles } from '../../node.js';
import { aborted } from '../aborted.js';
import { nameFiles } from '../naming/name-files.js';
import type { Session } from '../session.js';
import type { SavingFlags } from './common-options.js';
import type { EndedJob } from './ended-job.js';
import { findSaved } from './find-saved.js';
import { nodeTitles } from './node-titles.js';
import { outputTexts } from './output-texts.js';
import { streamingNodes } from './streamed-pictures.js';

/** Takes what {@link saveOutputs} needs out of the options of a command. */
export const saveOptions = ({ out, include, name }: SavingFlags): SavingFlags => ({
  out,
  ...(include === undefined ? {} : { include }),
  ...(name === undefined ? {} : { name }),
});

/** Reports every output of a job, and fetches the files into the folder; each is reported once it is whole. */
export const saveOutputs = async (
  session: Session,
  client: Client,
  { promptId, phase, outputs, nodes, workflow = {} }: EndedJob,
  { out, include, name }: SavingFlags,
): Promise<void> => {
  const files = outputFiles(outputs, { nodes });
  for (const file of files) session.report({ kind: 'output', promptId, file });
  const texts = outputTexts(outputs, nodes);
  const titles = nodeTitles(workflow);
  for (const text of texts) session.report({ kind: 'text', promptId, ...text, titles });
  if (files.length === 0) {
    const made = texts.length + streamingNodes(workflow).length;
    if (phase === 'completed' && made === 0)
      session.report({ kind: 'warning', message: 'the job has no files' });
    return;
  }

  const chosen = include === 'temp' ? files : lasting(files);
  if (chosen.length < files.length) {
    session.report({ kind: 'skipped', promptId, count: files.length - chosen.length });
  }
  session.reached('download', promptId);
  const names = nameFiles(chosen, { promptId, workflow, pattern: name });
  const existing = await findSaved(client, chosen, { out, names, signal: session.stop });
  if (existing.size > 0) session.report({ kind: 'existing', promptId, count: existing.size });
  for (const file of existing.values()) session.report({ kind: 'saved', promptId, file, existing: true });
  const missing = chosen.filter((file) => !existing.has(file));
  if (missing.length === 0) return;

  let saved = 0;
  const options = { name: (file: OutputFile) => names.get(file) ?? file.filename, signal: session.stop };
  const downloading = client.download(missing, out, options).pipe(
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

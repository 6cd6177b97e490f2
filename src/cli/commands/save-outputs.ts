import { lastValueFrom, takeUntil, tap } from 'rxjs';
import { type Client, type DownloadOptions, outputFiles } from '../../node.js';
import { aborted } from '../aborted.js';
import type { Session } from '../session.js';
import type { EndedJob } from './ended-job.js';

/** How {@link saveOutputs} saves. */
export interface SaveOptions extends Pick<DownloadOptions, 'overwrite'> {
  /** The folder; made where it is missing. */
  readonly out: string;
}

/** Reports every output of a job, and fetches the files into the folder; each is reported once it is whole. */
export const saveOutputs = async (
  session: Session,
  client: Client,
  { promptId, phase, outputs, nodes }: EndedJob,
  { out, ...downloadOptions }: SaveOptions,
): Promise<void> => {
  const files = outputFiles(outputs, { nodes });
  for (const file of files) session.report({ kind: 'output', promptId, file });
  if (files.length === 0) {
    if (phase === 'completed') session.report({ kind: 'warning', message: 'the job has no files' });
    return;
  }

  session.reached('download', promptId);
  let saved = 0;
  const downloading = client.download(files, out, { ...downloadOptions, signal: session.stop }).pipe(
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

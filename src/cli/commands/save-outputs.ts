import { lastValueFrom, takeUntil, tap } from 'rxjs';
import { type Client, type DownloadOptions, outputFiles, type Outputs } from '../../node.js';
import { aborted } from '../aborted.js';
import type { Session } from '../session.js';

/** What {@link saveOutputs} takes. */
export interface SaveOutputsOptions extends Pick<DownloadOptions, 'overwrite'> {
  readonly promptId: string;
  readonly outputs: Outputs;
  /** The folder; made where it is missing. */
  readonly out: string;
}

/** Reports every output of a job, and fetches the files into the folder; each is reported once it is whole. */
export const saveOutputs = async (
  session: Session,
  client: Client,
  options: SaveOutputsOptions,
): Promise<void> => {
  const { promptId, outputs, out, ...downloadOptions } = options;
  const files = outputFiles(outputs);
  for (const file of files) session.report({ kind: 'output', promptId, file });
  if (files.length === 0) {
    session.report({ kind: 'warning', message: 'the job has no files' });
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

import {
  concat,
  defer,
  EMPTY,
  finalize,
  from,
  map,
  mergeMap,
  type Observable,
  of,
  scan,
  takeWhile,
  throwError,
} from 'rxjs';
import type { DownloadOptions, DownloadSource, DownloadState, JobOfSource } from './download-state.js';
import { type FileProgress, saveFile } from './save-file.js';
import { fileSystemError, noDisk } from './file-system-error.js';
import { namedFiles } from './name-files.js';
import { onAbort } from '../interop/on-abort.js';
import type { Platform } from '../platform/platform.js';
import { serviceError } from '../errors/service-error.js';
import { semaphore } from './semaphore.js';
import type { ViewFile } from '../http/rest.js';

/** The files of the service, and the platform that saves them. */
export interface DownloadDeps {
  readonly platform: Platform;
  readonly view: ViewFile;
  /** Redacts secrets in errors; default: leaves texts as they are. */
  readonly redact?: (text: string) => string;
}

/**
 * Saves files of the service into a folder: a cold stream of snapshots, the last one with `done: true`.
 *
 * Each subscription downloads anew, `concurrency` files at once (default 4); the downloads of one client share that bound.
 * Of a job or outputs it saves the files of the type `output`, with `include: 'temp'` the temporary ones of preview nodes as well.
 * `filter` chooses among them and `name` names them; the stream errors with what they throw. Every file is written under a
 * temporary name and renamed when it is whole. Names are made safe and unique, and an existing file is kept unless `overwrite`
 * is set. A file that fails does not stop the others: they finish first, then the stream errors with that file's error, or with
 * one `DownloadFailed` that lists all of several. Aborting errors with `Aborted`. Unsubscribing stops everything and removes
 * every part file (docs/protocol.md, chapter 8).
 */
export const download = ({ platform, view, redact = (text) => text }: DownloadDeps) => {
  const shared = semaphore();
  return <Source extends DownloadSource>(
    source: Source,
    dir: string,
    {
      concurrency = 4,
      signal,
      include,
      filter,
      name: nameOf,
      ...limits
    }: DownloadOptions<JobOfSource<Source>> = {},
  ): Observable<DownloadState> =>
    defer(() => {
      const limit = Math.max(1, concurrency);
      const { files } = platform;
      if (files === undefined) return throwError(() => noDisk());
      const controller = new AbortController();
      const abort = (): void => controller.abort();
      const stopListening = onAbort(signal, abort);
      if (signal?.aborted === true) abort();
      const named = namedFiles(source, { include, filter, name: nameOf });
      return defer(() => openFolder((path) => files.folder(path), dir)).pipe(
        mergeMap((folder) =>
          from(named).pipe(
            mergeMap(({ file, index, name }) => {
              const options = {
                ...limits,
                platform,
                view,
                redact,
                files,
                folder,
                name,
                signal: controller.signal,
              };
              const progress = shared.run(limit, controller.signal, () => saveFile(file, options));
              return from(progress).pipe(map((progress) => ({ index, progress })));
            }, limit),
          ),
        ),
        scan(advance, begin(named.length)),
        (tallies) => concat(of(begin(named.length)), tallies),
        mergeMap((tally) => {
          const ending = tally.failures.find(
            ({ error: { _tag } }) => _tag === 'Aborted' || _tag === 'Closed',
          );
          return ending === undefined ? of(tally) : throwError(() => ending.error);
        }),
        takeWhile(({ open }) => open > 0, true),
        mergeMap((tally) => concat(of(snapshot(tally)), outcome(tally))),
        finalize(() => {
          stopListening();
          controller.abort();
        }),
      );
    });
};

type Failed = Extract<FileProgress, { readonly _tag: 'failed' }>;

interface Tally {
  /** Files that have not ended. */
  readonly open: number;
  readonly received: readonly number[];
  readonly expected: readonly (number | undefined)[];
  readonly saved: DownloadState['files'];
  readonly failures: readonly Failed[];
}

const begin = (total: number): Tally => ({
  open: total,
  received: new Array<number>(total).fill(0),
  expected: new Array<number | undefined>(total).fill(undefined),
  saved: [],
  failures: [],
});

const advance = (
  tally: Tally,
  { index, progress }: { readonly index: number; readonly progress: FileProgress },
): Tally => {
  switch (progress._tag) {
    case 'received':
      return {
        ...tally,
        received: tally.received.with(index, progress.bytes),
        expected: tally.expected.with(index, progress.expected),
      };
    case 'saved':
      return { ...tally, open: tally.open - 1, saved: [...tally.saved, progress.file] };
    case 'failed':
      return {
        ...tally,
        open: tally.open - 1,
        received: tally.received.with(index, 0),
        failures: [...tally.failures, progress],
      };
  }
};

const snapshot = ({ open, received, expected, saved, failures }: Tally): DownloadState => ({
  done: open === 0 && failures.length === 0,
  files: saved,
  total: received.length,
  receivedBytes: received.reduce((sum, bytes) => sum + bytes, 0),
  expectedBytes: expected.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0),
});

const outcome = ({ open, failures, received }: Tally): Observable<never> => {
  const [first, ...more] = failures;
  if (open > 0 || first === undefined) return EMPTY;
  if (more.length === 0) return throwError(() => first.error);
  const list = failures.map(({ filename, error }) => `${filename}: ${error.message}`).join(' ');
  return throwError(() =>
    serviceError('DownloadFailed', {
      message: `${failures.length} of ${received.length} files could not be fetched. ${list}`,
      hint: first.error.hint,
      retry: failures.every(({ error }) => error.retry === 'never') ? 'never' : 'after',
      filename: first.filename,
      reason: list,
    }),
  );
};

const openFolder = async (folder: (path: string) => Promise<string>, dir: string): Promise<string> => {
  try {
    return await folder(dir);
  } catch (cause) {
    throw fileSystemError(cause, dir);
  }
};

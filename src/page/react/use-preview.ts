import { defer, filter, map, Observable, switchMap, takeUntil } from 'rxjs';
import { isTerminal } from '../../core/state/job-state.js';
import { idOf, type JobHandle, type PreviewSource } from './source.js';
import type { Preview } from '../../core/protocol/frames/frame.js';
import { previews } from '../../core/operators/previews.js';
import type { ServiceError } from '../../core/errors/errors.js';
import { type Shared, shared } from './shared.js';
import { useView } from './use-shared.js';

/** The latest preview of a job as a component shows it; the same object until something changes. */
export interface PreviewView {
  /** The address of the picture, for an `<img>`; undefined while the job has no preview. */
  readonly url: string | undefined;
  /** Why there are no previews; a job without any has no error. */
  readonly error: ServiceError | undefined;
  /** Asks for previews again, after an error. */
  readonly retry: () => void;
}

/** What {@link usePreview} takes: a client or a remote with the id of a job, or a job itself. */
export interface UsePreview {
  /** Shows the previews of a job by its id; no id, or an empty one, is no job. */
  (source: PreviewSource | undefined, id: string | undefined): PreviewView;
  /** Shows the previews of a job that was submitted. */
  (job: JobHandle | undefined): PreviewView;
}

/**
 * Shows the latest preview picture of a job by an object URL.
 *
 * The address is released when the next one is there, after an error, and when the last component that shows it is taken off; the last picture
 * stays until then, also once the job has ended. By a client, a picture that names no job passes while this job is the only one that runs,
 * and a local server sends pictures only to the client that submitted the job.
 *
 * @example
 * ```ts
 * import type { Remote } from 'promptwire/remote';
 * import { usePreview } from 'promptwire/react';
 *
 * const usePicture = (remote: Remote, id: string | undefined): string => usePreview(remote, id).url ?? '/waiting.svg';
 * ```
 */
export const usePreview: UsePreview = (source: PreviewSource | JobHandle | undefined, id?: string) =>
  useView(source, idOf(source, id), sharedPreview, noPreview);

const noPreview: PreviewView = { url: undefined, error: undefined, retry: () => undefined };

const sharedPreview = (source: PreviewSource | JobHandle, id: string): Shared<PreviewView> =>
  shared<PreviewView>(source, `preview ${id}`, noPreview, () =>
    previewsOf(source, id).pipe(
      switchMap(heldUrl),
      map((url) => ({ url })),
    ),
  );

/** The address of a picture until it is left: it outlives the job, and is released for the next picture or with the last component. */
const heldUrl = ({ image, mediaType }: Preview): Observable<string> =>
  new Observable((subscriber) => {
    const url = URL.createObjectURL(new Blob([image as Uint8Array<ArrayBuffer>], { type: mediaType }));
    subscriber.next(url);
    return () => URL.revokeObjectURL(url);
  });

/** The previews of a job; by a client they end with it, and error as its states do. */
const previewsOf = (source: PreviewSource | JobHandle, id: string): Observable<Preview> => {
  if ('previews' in source) return source.previews(id);
  if ('states' in source) return source.frames.pipe(previews());
  const end = source.follow(id).pipe(filter(({ phase }) => isTerminal(phase)));
  // Only a page that asks a client for previews loads what tells jobs apart.
  return defer(() => import('../../core/operators/for-prompt.js')).pipe(
    switchMap(({ forPrompt }) => source.frames.pipe(forPrompt(id), previews())),
    takeUntil(end),
  );
};

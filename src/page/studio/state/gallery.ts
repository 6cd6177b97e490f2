import {
  BehaviorSubject,
  catchError,
  concatMap,
  EMPTY,
  exhaustMap,
  filter,
  from,
  map,
  merge,
  type Observable,
  of,
  scan,
  Subject,
  type Subscription,
} from 'rxjs';
import { type Failure, failureOf } from './failure.js';
import {
  outputFiles,
  outputKind,
  type Remote,
  type RemoteJob,
  type RemoteJobPage,
  type RemoteListOptions,
} from '../../../remote.js';
import { labels } from './labels.js';
import type { OutputKind } from '../../../index.js';

/** Something that a job made, as the gallery shows it: little, as there are thousands. */
export interface Item {
  readonly key: string;
  readonly jobId: string;
  readonly filename: string;
  readonly nodeId: string;
  readonly mediaType: string;
  readonly kind: OutputKind;
  readonly title: string;
  /** Where it stands in the grid of its run. */
  readonly cell?: string;
  readonly batch?: string;
  /** How many cells stand in a row of that grid. */
  readonly columns?: number;
  /** Its place in that grid. */
  readonly place?: number;
  /** What it was made of, in words. */
  readonly prompt?: string;
  readonly createdAt: number;
}

/** What the gallery shows. */
export interface Gallery {
  /** The newest first. */
  readonly items: readonly Item[];
  /** What the next page of the gateway begins after; undefined after the last one. */
  readonly next: string | undefined;
  readonly isLoading: boolean;
  /** Whether the first page has come. */
  readonly isKnown: boolean;
  readonly failure?: Failure | undefined;
}

/** A list of results, and what changes it. */
export interface GalleryStore {
  readonly state: BehaviorSubject<Gallery>;
  /** Loads the next page, if there is one and none is under way. */
  readonly more: () => void;
  /** Ends what is under way. */
  readonly close: () => void;
}

/** What happens to jobs while a gallery is open. */
export type GalleryChange =
  | { readonly type: 'ended'; readonly job: EndedJob }
  | { readonly type: 'deleted'; readonly id: string }
  /** The page may have missed something. */
  | { readonly type: 'stale' };

export type EndedJob = Pick<RemoteJob, 'id' | 'state' | 'metadata' | 'createdAt'>;

const nothing: Gallery = { items: [], next: undefined, isLoading: false, isKnown: false };

type Step = (gallery: Gallery) => Gallery;

/** The files of a job. */
export const itemsOf = ({ id, state, metadata = {}, createdAt }: EndedJob): readonly Item[] =>
  outputFiles(state.outputs, state)
    .filter(({ type }) => type === 'output')
    .map(({ filename, nodeId, mediaType }, at) => ({
      ...{
        key: `${id}/${at}`,
        jobId: id,
        filename,
        nodeId,
        mediaType,
        kind: outputKind(mediaType),
        createdAt,
      },
      title: metadata[labels.title] ?? filename,
      ...(metadata[labels.cell] !== undefined && { cell: metadata[labels.cell] }),
      ...(metadata[labels.batch] !== undefined && { batch: metadata[labels.batch] }),
      ...(metadata[labels.prompt] !== undefined && { prompt: metadata[labels.prompt] }),
      ...(metadata[labels.place] !== undefined && { place: Number(metadata[labels.place]) }),
      ...(Number(metadata[labels.columns]) > 0 && { columns: Number(metadata[labels.columns]) }),
    }));

/** Which results a gallery lists: the gateway finds them; of jobs that end meanwhile the page tells itself. */
export interface GalleryQuery {
  readonly list: Pick<RemoteListOptions, 'text' | 'workflow' | 'kind' | 'since' | 'until' | 'metadata'>;
  readonly fits: (item: Item) => boolean;
}

const everything: GalleryQuery = { list: {}, fits: () => true };

/** Lists what was made, page by page, and what jobs make meanwhile. */
export const openGallery = (
  remote: Pick<Remote, 'list'>,
  changes: Observable<GalleryChange>,
  { list, fits }: GalleryQuery = everything,
): GalleryStore => {
  const begun = new Subject<Step>();
  const pages = new Subject<string | undefined>();
  const state = new BehaviorSubject(nothing);
  const pageAfter = (after: string | undefined): Observable<RemoteJobPage> =>
    from(remote.list({ ...list, phases: ['completed', 'failed', 'cancelled'], limit: 100, after }));
  const loaded: Observable<Step> = pages.pipe(
    concatMap((after) =>
      pageAfter(after).pipe(
        map(takePage),
        catchError((error: unknown) => of(failed(failureOf(error)))),
      ),
    ),
  );
  const renewed: Observable<Step> = changes.pipe(
    filter(({ type }) => type === 'stale' && state.value.isKnown),
    exhaustMap(() => pageAfter(undefined).pipe(catchError(() => EMPTY))),
    map(takeNewest),
  );
  const changed: Observable<Step> = changes.pipe(
    map((change) => {
      if (change.type === 'stale') return (gallery) => gallery;
      return change.type === 'ended' ? add(itemsOf(change.job).filter(fits)) : remove(change.id);
    }),
  );
  const folding: Subscription = merge(begun, changed, loaded, renewed)
    .pipe(scan((gallery, step: Step) => step(gallery), nothing))
    .subscribe(state);
  return {
    state,
    more: () => {
      const { isLoading, isKnown, next } = state.value;
      if (isLoading || (isKnown && next === undefined)) return;
      begun.next((gallery) => ({ ...gallery, isLoading: true, failure: undefined }));
      pages.next(next);
    },
    close: () => folding.unsubscribe(),
  };
};

const add =
  (made: readonly Item[]): Step =>
  (gallery) =>
    gallery.items.some(({ jobId }) => jobId === made[0]?.jobId)
      ? gallery
      : { ...gallery, items: [...made, ...gallery.items] };

const remove =
  (id: string): Step =>
  (gallery) => ({ ...gallery, items: gallery.items.filter(({ jobId }) => jobId !== id) });

const takePage =
  ({ jobs, next }: RemoteJobPage): Step =>
  (gallery) => {
    const shown = new Set(gallery.items.map(({ jobId }) => jobId));
    const items = jobs.filter(({ id }) => !shown.has(id)).flatMap(itemsOf);
    return { items: [...gallery.items, ...items], next, isLoading: false, isKnown: true };
  };

/** The newest jobs as the gateway has them now: those of its first page that the gallery lacks come in, and those that it has no more go. */
const takeNewest =
  ({ jobs, next }: RemoteJobPage): Step =>
  (gallery) => {
    const listed = new Set(jobs.map(({ id }) => id));
    const oldest = next === undefined ? -Infinity : (jobs.at(-1)?.createdAt ?? Infinity);
    const kept = gallery.items.filter(({ jobId, createdAt }) => listed.has(jobId) || createdAt <= oldest);
    const shown = new Set(kept.map(({ jobId }) => jobId));
    const news = jobs.filter(({ id }) => !shown.has(id)).flatMap(itemsOf);
    const isSame = news.length === 0 && kept.length === gallery.items.length;
    return isSame ? gallery : { ...gallery, items: [...news, ...kept] };
  };

const failed =
  (failure: Failure): Step =>
  (gallery) => ({ ...gallery, isLoading: false, failure });

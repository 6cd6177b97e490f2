import { BehaviorSubject, catchError, concatMap, from, map, type Observable, of, scan, Subject } from 'rxjs';
import { type Failure, failureOf } from './failure.js';
import { outputFiles, outputKind, type Remote, type RemoteJob, type RemoteJobPage } from '../../remote.js';
import { labels } from './plan-runs.js';
import type { OutputKind } from '../../index.js';

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

/** The gallery, and what changes it. */
export interface GalleryStore {
  readonly state: BehaviorSubject<Gallery>;
  /** Loads the next page, if there is one and none is under way. */
  readonly more: () => void;
  /** Puts what a job has made before everything else. */
  readonly add: (job: Pick<RemoteJob, 'id' | 'state' | 'metadata' | 'createdAt'>) => void;
  /** Takes the files of a job out. */
  readonly remove: (jobId: string) => void;
}

const nothing: Gallery = { items: [], next: undefined, isLoading: false, isKnown: false };

type Step = (gallery: Gallery) => Gallery;

/** The files of a job. */
export const itemsOf = ({
  id,
  state,
  metadata = {},
  createdAt,
}: Parameters<GalleryStore['add']>[0]): readonly Item[] =>
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

/** Lists what was made, page by page. */
export const openGallery = (remote: Pick<Remote, 'list'>): GalleryStore => {
  const steps = new Subject<Step>();
  const pages = new Subject<string | undefined>();
  const state = new BehaviorSubject(nothing);
  const loaded: Observable<Step> = pages.pipe(
    concatMap((after) =>
      from(remote.list({ phases: ['completed', 'failed', 'cancelled'], limit: 100, after })).pipe(
        map(takePage),
        catchError((error: unknown) => of(failed(failureOf(error)))),
      ),
    ),
  );
  steps.pipe(scan((gallery, step: Step) => step(gallery), nothing)).subscribe(state);
  loaded.subscribe(steps);
  return {
    state,
    more: () => {
      const { isLoading, isKnown, next } = state.value;
      if (isLoading || (isKnown && next === undefined)) return;
      steps.next((gallery) => ({ ...gallery, isLoading: true, failure: undefined }));
      pages.next(next);
    },
    add: (job) => {
      const made = itemsOf(job);
      steps.next((gallery) =>
        gallery.items.some(({ jobId }) => jobId === job.id)
          ? gallery
          : { ...gallery, items: [...made, ...gallery.items] },
      );
    },
    remove: (id) =>
      steps.next((gallery) => ({ ...gallery, items: gallery.items.filter(({ jobId }) => jobId !== id) })),
  };
};

const takePage =
  ({ jobs, next }: RemoteJobPage): Step =>
  (gallery) => {
    const shown = new Set(gallery.items.map(({ jobId }) => jobId));
    const items = jobs.filter(({ id }) => !shown.has(id)).flatMap(itemsOf);
    return { items: [...gallery.items, ...items], next, isLoading: false, isKnown: true };
  };

const failed =
  (failure: Failure): Step =>
  (gallery) => ({ ...gallery, isLoading: false, failure });

import {
  BehaviorSubject,
  debounceTime,
  distinctUntilChanged,
  first,
  map,
  Observable,
  type SchedulerLike,
  Subject,
  switchMap,
} from 'rxjs';
import { type GalleryChange, type GalleryQuery, type GalleryStore, openGallery } from './gallery.js';
import { filterItems, type ItemFilter, queryOf } from './filter-items.js';
import type { Remote } from '../../../remote.js';

/** Results that the gateway has found. */
export interface Found {
  /** The query that found them. */
  readonly by: GalleryQuery['list'];
  readonly store: GalleryStore;
}

/** The results of the caller: all of them, and those that a person looks for. */
export interface Galleries {
  readonly all: GalleryStore;
  readonly found: BehaviorSubject<Found>;
  /** Lets the gateway find what a filter asks for; the results of before stay until the first ones are there. */
  readonly search: (filter: ItemFilter) => void;
  /** Tells all lists what happened to a job. */
  readonly tell: (change: GalleryChange) => void;
  readonly close: () => void;
}

/** A person who types is done once the hands rest. */
const restMs = 250;

/** Whether two filters ask the gateway for the same. */
export const isSameQuery = (one: GalleryQuery['list'], other: GalleryQuery['list']): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Opens the list of all results, and one more for what is looked for. */
export const openGalleries = (remote: Pick<Remote, 'list'>, scheduler: SchedulerLike): Galleries => {
  const changes = new Subject<GalleryChange>();
  const searches = new Subject<ItemFilter>();
  const all = openGallery(remote, changes);
  const found = new BehaviorSubject<Found>({ by: {}, store: all });
  const find = (filter: ItemFilter): Observable<Found> => {
    const by = queryOf(filter);
    if (isSameQuery(by, {})) return new BehaviorSubject({ by, store: all });
    // The words stand in texts of the job that the page does not have: of a job that ends meanwhile it compares what it has.
    const fits: GalleryQuery['fits'] = (item) => filterItems([item], filter).length > 0;
    return new Observable((subscriber) => {
      const store = openGallery(remote, changes, { list: by, fits });
      subscriber.add(() => store.close());
      subscriber.add(
        store.state
          .pipe(
            first(({ isKnown, failure }) => isKnown || failure !== undefined),
            map(() => ({ by, store })),
          )
          .subscribe((one) => subscriber.next(one)),
      );
      store.more();
    });
  };
  const searching = searches
    .pipe(
      distinctUntilChanged((one, other) => isSameQuery(queryOf(one), queryOf(other))),
      debounceTime(restMs, scheduler),
      switchMap(find),
    )
    .subscribe(found);
  return {
    all,
    found,
    search: (filter) => searches.next(filter),
    tell: (change) => changes.next(change),
    close: () => {
      searching.unsubscribe();
      all.close();
    },
  };
};

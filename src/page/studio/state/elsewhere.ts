import {
  catchError,
  distinctUntilChanged,
  EMPTY,
  filter,
  map,
  merge,
  type Observable,
  switchMap,
} from 'rxjs';
import type { GalleryChange } from './gallery.js';
import type { Remote } from '../../../remote.js';
import type { World } from './world.js';

/** What happens to the caller's jobs in other browsers while a person sees the page: deletions, and that the page may have missed some. */
export const changesElsewhere = (
  { deleted, connection }: Pick<Remote, 'deleted' | 'connection'>,
  { seen }: Pick<World, 'seen'>,
): Observable<Exclude<GalleryChange, { type: 'ended' }>> => {
  const deletions = deleted.pipe(map((id) => ({ type: 'deleted', id }) as const));
  // A stream that has opened tells nothing of what was deleted before.
  const opened = connection.pipe(
    map(({ _tag }) => _tag),
    distinctUntilChanged(),
    filter((tag) => tag === 'open'),
    map(() => ({ type: 'stale' }) as const),
  );
  return seen.pipe(
    switchMap((isSeen) => (isSeen ? merge(deletions, opened) : EMPTY)),
    // A gateway that refuses the stream says so where jobs are followed.
    catchError(() => EMPTY),
  );
};

import type { Observable } from 'rxjs';
import { each } from './each.js';
import { mergeMap } from './merge-map.js';

/** As rxjs's `merge`: subscribes to them in their order, and completes with the last. */
export const merge = <A>(...sources: readonly Observable<A>[]): Observable<A> =>
  each(sources).pipe(mergeMap((source) => source));

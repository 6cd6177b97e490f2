import type { Observable } from 'rxjs';
import { each } from './each.js';
import { mergeMap } from './merge-map.js';

/** As rxjs's `concat`: one after the other. */
export const concat = <A>(...sources: readonly Observable<A>[]): Observable<A> =>
  each(sources).pipe(mergeMap((source) => source, 1));

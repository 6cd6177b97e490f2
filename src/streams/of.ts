import type { Observable } from 'rxjs';
import { each } from './each.js';

/** As rxjs's `of` with one value. */
export const of = <A>(value: A): Observable<A> => each([value]);

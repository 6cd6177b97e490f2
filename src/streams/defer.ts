import { Observable } from 'rxjs';

/**
 * As rxjs's `defer`, for what is an Observable: makes a new source for each subscription; errors where making it throws.
 *
 * What rxjs takes beyond that (promises, iterables, readable streams, …) is 2 kB of each page, compressed, and nothing here
 * gives it any of these. So the few operators that would bring it in are written in this folder, each for Observables only;
 * all others are rxjs's own.
 */
export const defer = <A>(make: () => Observable<A>): Observable<A> =>
  new Observable((subscriber) => make().subscribe(subscriber));

import { Observable } from 'rxjs';

/** Errors at once with what `error` makes for each subscriber, as rxjs's `throwError`, which knows schedulers as well. */
export const throwError = (error: () => unknown): Observable<never> =>
  new Observable((subscriber) => subscriber.error(error()));

import { Observable } from 'rxjs';

/** As rxjs's `from` of an iterable: emits its values and completes; reads none for a subscriber that has left. */
export const each = <A>(values: Iterable<A>): Observable<A> =>
  new Observable((subscriber) => {
    for (const value of values) {
      subscriber.next(value);
      if (subscriber.closed) return;
    }
    subscriber.complete();
  });

import { Observable } from 'rxjs';

/** As rxjs's `from` of an iterable: emits its values and completes; stops reading with its subscriber. */
export const each = <A>(values: Iterable<A>): Observable<A> =>
  new Observable((subscriber) => {
    for (const value of values) {
      if (subscriber.closed) return;
      subscriber.next(value);
    }
    subscriber.complete();
  });

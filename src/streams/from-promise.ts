import { Observable } from 'rxjs';

/** As rxjs's `defer` of a promise: asks at each subscription and emits the answer; unsubscribing ignores it. */
export const fromPromise = <A>(ask: () => Promise<A>): Observable<A> =>
  new Observable((subscriber) => {
    ask().then(
      (answer) => {
        subscriber.next(answer);
        subscriber.complete();
      },
      (error: unknown) => subscriber.error(error),
    );
  });

import { Observable, type Subscriber, Subscription } from 'rxjs';

/**
 * Shares one subscription of a source that emits nothing: it begins with the first subscriber, and after the last one it is
 * kept until `lingering` emits. An error goes to all, and the next subscriber begins anew.
 *
 * As rxjs's `share` would with `resetOnRefCountZero`, which lingers after an error as well.
 */
export const shared = (source: Observable<never>, lingering: Observable<unknown>): Observable<never> => {
  const subscribers = new Set<Subscriber<never>>();
  let held = Subscription.EMPTY;
  let release = Subscription.EMPTY;

  const fail = (error: unknown): void => {
    release.unsubscribe();
    // Closed before they leave, so that nothing lingers.
    held.unsubscribe();
    for (const subscriber of [...subscribers]) subscriber.error(error);
  };
  return new Observable((subscriber) => {
    release.unsubscribe();
    subscribers.add(subscriber);
    if (held.closed) held = source.subscribe({ error: fail });
    return () => {
      subscribers.delete(subscriber);
      if (subscribers.size > 0 || held.closed) return;
      release = lingering.subscribe({
        next: () => {
          release.unsubscribe();
          held.unsubscribe();
        },
        error: fail,
      });
    };
  });
};

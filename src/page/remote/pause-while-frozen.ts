import { Observable } from 'rxjs';
import type { PageWorld } from '../../core/platform/page.js';

/** Passes the source while the page is awake: one that is frozen, or kept for the way back, holds no connection, and begins anew. */
export const pauseWhileFrozen = <A>(
  { onSleep }: Pick<PageWorld, 'onSleep'>,
  source: Observable<A>,
): Observable<A> =>
  new Observable((subscriber) => {
    const begin = () =>
      source.subscribe({
        next: (value) => subscriber.next(value),
        error: (error: unknown) => subscriber.error(error),
      });
    let watching = begin();
    const cancel = onSleep((isAsleep) => {
      if (isAsleep) watching.unsubscribe();
      else if (watching.closed) watching = begin();
    });
    return () => {
      cancel();
      watching.unsubscribe();
    };
  });

import { Observable, type Observer, type Subscription } from 'rxjs';

/**
 * Subscribes as a part of another subscription: the end of that one ends this one, even while the source still emits within
 * its `subscribe`, which then sees that its subscriber is closed. An error of `make` is one of the source.
 */
export const within = <A>(
  outer: Subscription,
  make: () => Observable<A>,
  observer: Partial<Observer<A>>,
): Subscription =>
  new Observable<A>((subscriber) => {
    outer.add(subscriber);
    make().subscribe(subscriber);
  }).subscribe(observer);

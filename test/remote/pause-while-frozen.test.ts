import { expect, it } from 'vitest';
import { Observable, Subject } from 'rxjs';
import { pauseWhileFrozen } from '../../src/page/remote/pause-while-frozen.js';

/** A page that a test puts to sleep, and how often its source was subscribed to and left. */
const aPage = () => {
  const listeners = new Set<(isAsleep: boolean) => void>();
  const values = new Subject<number>();
  const counts = { begun: 0, open: 0 };
  const source = new Observable<number>((subscriber) => {
    counts.begun += 1;
    counts.open += 1;
    subscriber.add(() => (counts.open -= 1));
    return values.subscribe(subscriber);
  });
  const world = {
    onSleep: (listener: (isAsleep: boolean) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  return {
    source,
    world,
    values,
    counts,
    listeners,
    sleep: (is: boolean) => listeners.forEach((on) => on(is)),
  };
};

it('holds one source while the page is awake, however often it is woken, and none while it sleeps', () => {
  const page = aPage();
  const seen: number[] = [];
  const watching = pauseWhileFrozen(page.world, page.source).subscribe((value) => seen.push(value));
  page.values.next(1);
  page.sleep(true);
  page.sleep(true);
  expect(page.counts).toEqual({ begun: 1, open: 0 });
  page.values.next(2);
  // A page says `resume` as well as `pageshow`.
  page.sleep(false);
  page.sleep(false);
  expect(page.counts).toEqual({ begun: 2, open: 1 });
  page.values.next(3);
  expect(seen).toEqual([1, 3]);
  watching.unsubscribe();
  expect([page.counts.open, page.listeners.size]).toEqual([0, 0]);
});

it('passes errors on, and listens to the page no more', () => {
  const page = aPage();
  const errors: unknown[] = [];
  pauseWhileFrozen(page.world, page.source).subscribe({ error: (error: unknown) => errors.push(error) });
  const refused = new Error('refused');
  page.values.error(refused);
  expect([errors, page.listeners.size]).toEqual([[refused], 0]);
});

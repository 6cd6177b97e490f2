import { BehaviorSubject, Observable, Subject } from 'rxjs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { toStore, type Store } from '../../src/core/interop/to-store.js';

describe('toStore', () => {
  it('has the initial value and no subscription before anybody listens', () => {
    const source = new Subject<number>();
    const store = toStore(source, 0);
    expect(store.getSnapshot()).toBe(0);
    expect(store.getServerSnapshot()).toBe(0);
    expect(source.observed).toBe(false);
  });

  it('calls listeners on each change, once, and has the value by then', () => {
    const source = new Subject<number>();
    const store = toStore(source, 0);
    const seen: number[] = [];
    store.subscribe(() => seen.push(store.getSnapshot()));
    for (const value of [0, 1, 1, 2, Number.NaN, Number.NaN]) source.next(value);
    expect(seen).toEqual([1, 2, Number.NaN]);
    expect(store.getServerSnapshot()).toBe(0);
  });

  it('gives the same reference until the value changes', () => {
    const source = new Subject<object>();
    const store = toStore<object>(source, {});
    store.subscribe(() => undefined);
    const value = { a: 1 };
    source.next(value);
    expect(store.getSnapshot()).toBe(value);
    expect(store.getSnapshot()).toBe(store.getSnapshot());
  });

  it('shares one subscription among its listeners, and ends it with the last', () => {
    let subscriptions = 0;
    const values = new BehaviorSubject('a');
    const store = toStore(
      new Observable<string>((subscriber) => {
        subscriptions += 1;
        return values.subscribe(subscriber);
      }),
      '',
    );
    const first = store.subscribe(() => undefined);
    const second = store.subscribe(() => undefined);
    expect(subscriptions).toBe(1);
    first();
    first();
    expect(values.observed).toBe(true);
    second();
    expect(values.observed).toBe(false);
    expect(store.getSnapshot()).toBe('a');

    values.next('b');
    expect(store.getSnapshot()).toBe('a');
    store.subscribe(() => undefined);
    expect(subscriptions).toBe(2);
    expect(store.getSnapshot()).toBe('b');
  });

  it('counts a listener as often as it was given', () => {
    const source = new Subject<number>();
    const store = toStore(source, 0);
    let told = 0;
    const listener = (): void => void (told += 1);
    const first = store.subscribe(listener);
    store.subscribe(listener);
    source.next(1);
    expect(told).toBe(2);
    first();
    source.next(2);
    expect(told).toBe(3);
  });

  it('keeps the last value after completion and does not subscribe again', () => {
    let subscriptions = 0;
    const store = toStore(
      new Observable<number>((subscriber) => {
        subscriptions += 1;
        subscriber.next(1);
        subscriber.complete();
      }),
      0,
    );
    store.subscribe(() => undefined)();
    store.subscribe(() => undefined)();
    expect(store.getSnapshot()).toBe(1);
    expect(subscriptions).toBe(1);
  });

  it('calls listeners on an error, and throws it from then on', () => {
    const boom = new Error('boom');
    const source = new Subject<number>();
    const store = toStore(source, 0);
    let told = 0;
    store.subscribe(() => (told += 1));
    source.next(1);
    source.error(boom);
    expect(told).toBe(2);
    expect(() => store.getSnapshot()).toThrow(boom);
    expect(store.getServerSnapshot()).toBe(0);
  });

  it('has the type of its values', () => {
    expectTypeOf(toStore(new Subject<number>(), 0)).toEqualTypeOf<Store<number>>();
    expectTypeOf(toStore<number | undefined>(new Subject<number>(), undefined).getSnapshot()).toEqualTypeOf<
      number | undefined
    >();
  });
});

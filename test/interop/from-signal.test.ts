import { takeUntil, type Observable } from 'rxjs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { fromSignal } from '../../src/interop/from-signal.js';
import { countingSignal } from '../helpers/counting-signal.js';
import { marbles } from '../helpers/marbles.js';
import { record } from '../helpers/record.js';

describe('fromSignal', () => {
  it('emits once when the signal fires, and completes', () => {
    const { signal, abort, listeners } = countingSignal();
    const told = record(fromSignal(signal));
    expect(told).toMatchObject({ values: [], end: 'none' });
    expect(listeners()).toBe(1);
    abort();
    expect(told).toMatchObject({ values: [undefined], end: 'complete' });
    expect(listeners()).toBe(0);
  });

  it('emits at once if the signal has fired before', () => {
    expect(record(fromSignal(AbortSignal.abort()))).toMatchObject({ values: [undefined], end: 'complete' });
  });

  it('looks at the signal when it is subscribed to, not before', () => {
    const { signal, abort, listeners } = countingSignal();
    const notifier = fromSignal(signal);
    expect(listeners()).toBe(0);
    abort();
    expect(record(notifier).end).toBe('complete');
  });

  it('removes its listener on unsubscription', () => {
    const { signal, listeners } = countingSignal();
    record(fromSignal(signal)).subscription.unsubscribe();
    expect(listeners()).toBe(0);
  });

  it('never emits without a signal', () => {
    marbles(({ expectObservable }) => {
      expectObservable(fromSignal(undefined)).toBe('-');
    });
  });

  it('ends a stream as a notifier', () => {
    const { signal, abort } = countingSignal();
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot('-a-b-c-|');
      hot('               ----x').subscribe(abort);
      expectObservable(source.pipe(takeUntil(fromSignal(signal)))).toBe('-a-b|');
      expectSubscriptions(source.subscriptions).toBe('^---!');
    });
  });

  it('is an Observable of nothing', () => {
    expectTypeOf(fromSignal(undefined)).toEqualTypeOf<Observable<void>>();
  });
});

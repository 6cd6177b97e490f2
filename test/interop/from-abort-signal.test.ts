import { countingSignal } from '../helpers/counting-signal.js';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { fromAbortSignal } from '../../src/core/interop/from-abort-signal.js';
import { marbles } from '../helpers/marbles.js';
import { type Observable, takeUntil } from 'rxjs';
import { record } from '../helpers/record.js';

describe('fromAbortSignal', () => {
  it('emits once when the signal fires, and completes', () => {
    const { signal, abort, listeners } = countingSignal();
    const told = record(fromAbortSignal(signal));
    expect(told).toMatchObject({ values: [], end: 'none' });
    expect(listeners()).toBe(1);
    abort();
    expect(told).toMatchObject({ values: [undefined], end: 'complete' });
    expect(listeners()).toBe(0);
  });

  it('emits at once if the signal has fired before', () => {
    expect(record(fromAbortSignal(AbortSignal.abort()))).toMatchObject({
      values: [undefined],
      end: 'complete',
    });
  });

  it('looks at the signal when it is subscribed to, not before', () => {
    const { signal, abort, listeners } = countingSignal();
    const notifier = fromAbortSignal(signal);
    expect(listeners()).toBe(0);
    abort();
    expect(record(notifier).end).toBe('complete');
  });

  it('removes its listener on unsubscription', () => {
    const { signal, listeners } = countingSignal();
    record(fromAbortSignal(signal)).subscription.unsubscribe();
    expect(listeners()).toBe(0);
  });

  it('never emits without a signal', () => {
    marbles(({ expectObservable }) => {
      expectObservable(fromAbortSignal(undefined)).toBe('-');
    });
  });

  it('ends a stream as a notifier', () => {
    const { signal, abort } = countingSignal();
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot('-a-b-c-|');
      hot('               ----x').subscribe(abort);
      expectObservable(source.pipe(takeUntil(fromAbortSignal(signal)))).toBe('-a-b|');
      expectSubscriptions(source.subscriptions).toBe('^---!');
    });
  });

  it('is an Observable of nothing', () => {
    expectTypeOf(fromAbortSignal(undefined)).toEqualTypeOf<Observable<void>>();
  });
});

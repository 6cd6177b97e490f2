import { EMPTY, NEVER, Observable, of, throwError } from 'rxjs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { abortable } from '../../src/core/interop/abortable.js';
import { countingSignal } from '../helpers/counting-signal.js';
import { marbles } from '../helpers/marbles.js';
import { record } from '../helpers/record.js';

describe('abortable', () => {
  it('ends the stream with Aborted when the signal fires', () => {
    const { signal, abort } = countingSignal();
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot('-a-b-c-|');
      hot('               ----x').subscribe(abort);
      const expected = '  -a-b#';
      const aborted: unknown = expect.objectContaining({ _tag: 'Aborted', sent: true });
      expectObservable(source.pipe(abortable(signal))).toBe(expected, undefined, aborted);
      expectSubscriptions(source.subscriptions).toBe('^---!');
    });
  });

  it('has the reason of the signal as cause', () => {
    const { signal, abort } = countingSignal();
    const told = record(NEVER.pipe(abortable(signal)));
    const reason = new Error('no more');
    abort(reason);
    expect(told.error).toMatchObject({ _tag: 'Aborted', cause: reason });
  });

  it('names the job that the stream is about', () => {
    const { signal, abort } = countingSignal();
    const told = record(NEVER.pipe(abortable(signal, { promptId: 'p' })));
    abort();
    expect(told.error).toMatchObject({ _tag: 'Aborted', promptId: 'p' });
  });

  it('does not subscribe if the signal has fired before', () => {
    let subscribed = 0;
    const source = new Observable<never>(() => void (subscribed += 1));
    expect(record(source.pipe(abortable(AbortSignal.abort()))).error).toMatchObject({ _tag: 'Aborted' });
    expect(subscribed).toBe(0);
  });

  it.each<readonly [string, Observable<number>]>([
    ['completion', of(1)],
    ['an error', throwError(() => new Error('boom'))],
    ['emptiness', EMPTY],
  ])('passes %s on and removes its listener', (_, source) => {
    const { signal, listeners } = countingSignal();
    const { values, end } = record(source);
    expect(record(source.pipe(abortable(signal)))).toMatchObject({ values, end });
    expect(listeners()).toBe(0);
  });

  it('removes its listener on unsubscription and when the signal fires', () => {
    const { signal, abort, listeners } = countingSignal();
    const source = NEVER.pipe(abortable(signal));
    const first = record(source);
    expect(listeners()).toBe(1);
    first.subscription.unsubscribe();
    expect(listeners()).toBe(0);
    record(source);
    expect(listeners()).toBe(1);
    abort();
    expect(listeners()).toBe(0);
  });

  it('changes nothing without a signal', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot('-a-b-|');
      expectObservable(source.pipe(abortable(undefined))).toBe('-a-b-|');
      expectSubscriptions(source.subscriptions).toBe('^----!');
    });
  });

  it('keeps the type of the values', () => {
    expectTypeOf(of(1).pipe(abortable(undefined))).toEqualTypeOf<Observable<number>>();
  });
});

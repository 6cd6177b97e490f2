import { Observable, Subscription } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { within } from '../../src/streams/within.js';
import { marbles } from '../helpers/marbles.js';

describe('within', () => {
  it('ends with the subscription that it is a part of', () => {
    marbles(({ cold, expectSubscriptions }) => {
      const outer = new Subscription();
      const source = cold('-a-b-c|');
      within(outer, () => source, { next: (value) => value === 'b' && outer.unsubscribe() });
      expectSubscriptions(source.subscriptions).toBe('^--!');
    });
  });

  it('lets the source see it while it still subscribes', () => {
    const outer = new Subscription();
    const seen: boolean[] = [];
    const source = new Observable<string>((subscriber) => {
      subscriber.next('first');
      seen.push(subscriber.closed);
    });
    within(outer, () => source, { next: () => outer.unsubscribe() });
    expect(seen).toStrictEqual([true]);
  });

  it('tells an error of making the source as one of the source', () => {
    const errors: unknown[] = [];
    const failing = (): Observable<never> => {
      throw new Error('no source');
    };
    within(new Subscription(), failing, { error: (error: unknown) => errors.push(error) });
    expect(errors).toEqual([new Error('no source')]);
  });
});

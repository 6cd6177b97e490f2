import { describe, it } from 'vitest';
import { merge } from '../../src/streams/merge.js';
import { marbles } from '../helpers/marbles.js';

describe('merge', () => {
  it('emits what any of them emits, and completes with the last', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const [one, other] = [cold('a--b|'), cold('-c--d-|')];
      expectObservable(merge(one, other)).toBe('ac-bd-|');
      expectSubscriptions(one.subscriptions).toBe('^---!');
      expectSubscriptions(other.subscriptions).toBe('^-----!');
    });
  });

  it('errors with the first of them, and leaves the others', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const [one, other] = [cold('-a-#'), cold('--b--c')];
      expectObservable(merge(one, other)).toBe('-ab#');
      expectSubscriptions(other.subscriptions).toBe('^--!');
    });
  });
});

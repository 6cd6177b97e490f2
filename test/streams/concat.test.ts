import { describe, it } from 'vitest';
import { concat } from '../../src/streams/concat.js';
import { marbles } from '../helpers/marbles.js';

describe('concat', () => {
  it('takes one after the other', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const [one, other] = [cold('a-|'), cold('-b|')];
      expectObservable(concat(one, other)).toBe('a--b|');
      expectSubscriptions(one.subscriptions).toBe('^-!');
      expectSubscriptions(other.subscriptions).toBe('--^-!');
    });
  });
});

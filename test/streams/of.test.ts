import { describe, it } from 'vitest';
import { of } from '../../src/streams/of.js';
import { marbles } from '../helpers/marbles.js';

describe('of', () => {
  it('emits its value and completes', () => {
    marbles(({ expectObservable }) => {
      expectObservable(of('a')).toBe('(a|)');
    });
  });
});

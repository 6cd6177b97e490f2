import { describe, it } from 'vitest';
import { throwError } from '../../src/streams/throw-error.js';
import { marbles } from '../helpers/marbles.js';

describe('throwError', () => {
  it('makes an error for each subscriber', () => {
    marbles(({ expectObservable }) => {
      let made = 0;
      const failing = throwError(() => new Error(`error ${(made += 1)}`));
      expectObservable(failing).toBe('#', undefined, new Error('error 1'));
      expectObservable(failing).toBe('#', undefined, new Error('error 2'));
    });
  });

  it('errors with what its maker throws', () => {
    marbles(({ expectObservable }) => {
      const failing = throwError((): Error => {
        throw new Error('no error could be made');
      });
      expectObservable(failing).toBe('#', undefined, new Error('no error could be made'));
    });
  });
});

import { describe, expect, it } from 'vitest';
import { readFailure } from '../../../src/protocol/state/read-failure.js';
import { failureByWord, reasonOf, unknownFailure } from '../../../src/protocol/state/unknown-failure.js';

describe('reasonOf', () => {
  it.each([
    ['nothing', unknownFailure()],
    ['a word', failureByWord('lost')],
  ])('F20: %s is no reason', (_, failure) => {
    expect(reasonOf(failure)).toBe(0);
  });

  it('F20: the node says more than the exception alone, that more than a text, that more than nothing', () => {
    const told = [
      undefined,
      'The worker is gone.',
      { exception_type: 'OOMError', exception_message: 'no room' },
      { exception_type: 'OOMError', exception_message: 'no room', node_id: '3' },
    ];
    const reasons = told.map(readFailure).map(reasonOf);
    expect(reasons).toEqual(reasons.toSorted((one, other) => one - other));
    expect(new Set(reasons).size).toBe(told.length);
  });

  it('tells the word', () => {
    expect(failureByWord('lost').exceptionMessage).toBe('The service ended the job as "lost".');
  });
});

import { TestScheduler, type RunHelpers } from 'rxjs/testing';
import { expect } from 'vitest';

/** Runs a marble test in virtual time; frames are compared in depth. */
export const marbles = (test: (helpers: RunHelpers) => void): void => {
  new TestScheduler((actual, expected) => {
    expect(actual).toEqual(expected);
  }).run(test);
};

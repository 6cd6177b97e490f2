/** Counts submissions from 0. */
export interface SubmissionNumbers {
  readonly next: () => number;
  /** The newest one, -1 before the first. */
  readonly last: () => number;
  /** Leaves out those up to this one. */
  readonly goOnAfter: (last: number) => void;
}

/** No submission yet. */
export const submissionNumbers = (): SubmissionNumbers => {
  let number = -1;
  return {
    next: () => (number += 1),
    last: () => number,
    goOnAfter: (last) => {
      number = Math.max(number, last);
    },
  };
};

/**
 * How long a job goes on that was expected to take `expectedMs` and has taken `passedMs`, in milliseconds.
 *
 * One that takes longer than expected is expected to take longer still, and the later it is the more, so that no other job waits long for
 * a server that may have lost it.
 */
export const msLeft = (expectedMs: number, passedMs: number): number =>
  Math.max(expectedMs - passedMs, passedMs / 4, 2 * (passedMs - expectedMs));

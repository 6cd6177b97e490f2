/** How long a law that is played in many virtual lives may take in all; a loaded machine takes ten times as long as a free one. */
export const lawWithinMs = 180_000;

/**
 * What such a law gives to `fc.assert` besides its number of runs: a life that hangs, and a machine that is too slow for all,
 * fail with their seed before the test's own time is up, which would tell nothing.
 */
export const patient = {
  timeout: 20_000,
  interruptAfterTimeLimit: 120_000,
  markInterruptAsFailure: true,
} as const;

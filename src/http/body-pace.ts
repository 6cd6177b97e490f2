/** Watches the pace of a body by the time that somebody waited for it. */
export interface BodyPace {
  /** How long the next piece may take before the whole is surely too slow. */
  readonly leftMs: () => number;
  /** Counts a piece; false where the body is too slow. */
  readonly keepsUp: (waitedMs: number, bytes: number) => boolean;
}

/** Bodies slower than 1 KiB/s over 60 s of waiting are given up. */
export const bodyPace = (): BodyPace => {
  let waited = 0;
  let received = 0;
  return {
    leftMs: () => (received >= leastBytes ? Infinity : windowMs - waited + 1),
    keepsUp: (waitedMs, bytes) => {
      waited += waitedMs;
      received += bytes;
      if (waited < windowMs) return true;
      const enough = received >= leastBytes;
      waited = 0;
      received = 0;
      return enough;
    },
  };
};

const windowMs = 60_000;
const leastBytes = 60 * 1024;

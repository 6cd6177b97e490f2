import { realClock } from '../../../core/platform/clock.js';

/** The clock of the server that keeps a queue. All workers go by it, so that the clocks of their machines may differ. */
export interface StoreClock {
  /** Milliseconds since 1970; by the clock of this machine until the server has told its own. */
  readonly now: () => number;
  /** Notes the time that an answer of the server told. */
  readonly set: (serverMs: number) => void;
}

/**
 * Makes a clock that goes on from the last answer of the server.
 *
 * @param elapsed - A clock that never goes back, in milliseconds.
 */
export const storeClock = (elapsed: () => number): StoreClock => {
  let aheadMs = realClock.wall() - elapsed();
  return {
    now: () => elapsed() + aheadMs,
    set: (serverMs) => {
      aheadMs = serverMs - elapsed();
    },
  };
};

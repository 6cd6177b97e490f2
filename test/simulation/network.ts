import type { Random } from './random.js';
import type { SimClock } from './sim-clock.js';

/** What lies between client and service. */
export interface Network {
  /** Nothing gets through before this time. */
  downUntil: number;
  /** Everything takes this much longer until `slowUntil`. */
  slowMs: number;
  slowUntil: number;
  readonly isDown: () => boolean;
  /** How long one way takes now. */
  readonly wayMs: () => number;
}

/** Makes a {@link Network} without trouble. */
export const network = (clock: SimClock, random: Random): Network => {
  const state: Network = {
    downUntil: 0,
    slowMs: 0,
    slowUntil: 0,
    isDown: () => clock.now() < state.downUntil,
    wayMs: () => random.between(1, 30) + (clock.now() < state.slowUntil ? state.slowMs : 0),
  };
  return state;
};

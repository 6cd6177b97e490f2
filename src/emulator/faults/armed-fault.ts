import { seededRandom } from '../engine/random.js';
import type { Fault } from './fault.js';

/** A fault with its count of matches. */
export interface ArmedFault<F extends Fault = Fault> {
  readonly fault: F;
  /** Counts one match, and says whether it is struck. */
  readonly strikes: () => boolean;
}

/** Arms a fault; its chances come from the seed and its place in the list, whatever other faults do. */
export const armFault = (fault: Fault, index: number, seed: number): ArmedFault => {
  const { nth = 1, times = defaultTimes(fault), chance = 1 } = fault;
  const draw = seededRandom(BigInt(Math.trunc(seed)), `fault ${index}`);
  const end = times === 'every' ? Infinity : nth + times;
  let matches = 0;
  return {
    fault,
    strikes: () => {
      matches += 1;
      return matches >= nth && matches < end && (chance === 1 || draw() < chance);
    },
  };
};

const defaultTimes = (fault: Fault): number | 'every' =>
  fault.on === 'rest' && ['vanish', 'flicker', 'lag'].includes(fault.do) ? 'every' : 1;

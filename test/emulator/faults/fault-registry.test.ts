import { armFault } from '../../../src/emulator/faults/fault-registry.js';
import { describe, expect, it } from 'vitest';
import type { Fault, Occurrence } from '../../../src/emulator.js';

const drop = (occurrence: Occurrence): Fault => ({ on: 'event', do: 'drop', ...occurrence });

/** Which of the first matches trigger the fault, from 1. */
const triggeredMatches = (fault: Fault, matches: number, seed = 1, index = 0): readonly number[] => {
  const { triggers: strikes } = armFault(fault, index, seed);
  return Array.from({ length: matches }, (_, at) => at + 1).filter(() => strikes());
};

describe('armFault', () => {
  it('strikes the first match only, unless told otherwise', () => {
    expect(triggeredMatches(drop({}), 5)).toEqual([1]);
    expect(triggeredMatches(drop({ nth: 3 }), 5)).toEqual([3]);
    expect(triggeredMatches(drop({ nth: 2, times: 3 }), 6)).toEqual([2, 3, 4]);
    expect(triggeredMatches(drop({ nth: 4, times: 'every' }), 6)).toEqual([4, 5, 6]);
  });

  it('strikes without end what is gone for good', () => {
    expect(triggeredMatches({ on: 'rest', route: '*', do: 'vanish', nth: 2 }, 4)).toEqual([2, 3, 4]);
    expect(triggeredMatches({ on: 'rest', route: '*', do: 'vanish', times: 1 }, 4)).toEqual([1]);
  });

  it('draws chances from the seed and its place in the list', () => {
    const fault = drop({ times: 'every', chance: 0.3 });
    const first = triggeredMatches(fault, 1_000);
    expect(first.length).toBeGreaterThan(200);
    expect(first.length).toBeLessThan(400);
    expect(triggeredMatches(fault, 1_000)).toEqual(first);
    expect(triggeredMatches(fault, 1_000, 2)).not.toEqual(first);
    expect(triggeredMatches(fault, 1_000, 1, 1)).not.toEqual(first);
    expect(triggeredMatches(drop({ times: 'every', chance: 0 }), 100)).toEqual([]);
  });
});

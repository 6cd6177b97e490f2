import { armFault } from '../../../src/emulator/faults/fault-registry.js';
import { describe, expect, it } from 'vitest';
import type { Fault, Occurrence } from '../../../src/emulator/index.js';

const drop = (occurrence: Occurrence): Fault => ({ on: 'event', do: 'drop', ...occurrence });

/** Which of the first matches are struck, from 1. */
const struck = (fault: Fault, matches: number, seed = 1, index = 0): readonly number[] => {
  const { triggers: strikes } = armFault(fault, index, seed);
  return Array.from({ length: matches }, (_, at) => at + 1).filter(() => strikes());
};

describe('armFault', () => {
  it('strikes the first match only, unless told otherwise', () => {
    expect(struck(drop({}), 5)).toEqual([1]);
    expect(struck(drop({ nth: 3 }), 5)).toEqual([3]);
    expect(struck(drop({ nth: 2, times: 3 }), 6)).toEqual([2, 3, 4]);
    expect(struck(drop({ nth: 4, times: 'every' }), 6)).toEqual([4, 5, 6]);
  });

  it('strikes without end what is gone for good', () => {
    expect(struck({ on: 'rest', route: '*', do: 'vanish', nth: 2 }, 4)).toEqual([2, 3, 4]);
    expect(struck({ on: 'rest', route: '*', do: 'vanish', times: 1 }, 4)).toEqual([1]);
  });

  it('draws chances from the seed and its place in the list', () => {
    const fault = drop({ times: 'every', chance: 0.3 });
    const first = struck(fault, 1_000);
    expect(first.length).toBeGreaterThan(200);
    expect(first.length).toBeLessThan(400);
    expect(struck(fault, 1_000)).toEqual(first);
    expect(struck(fault, 1_000, 2)).not.toEqual(first);
    expect(struck(fault, 1_000, 1, 1)).not.toEqual(first);
    expect(struck(drop({ times: 'every', chance: 0 }), 100)).toEqual([]);
  });
});

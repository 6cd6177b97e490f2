import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { msLeft } from '../../src/client/pool/ms-left.js';

const ms = fc.integer({ min: 0, max: 1e7 });

describe('msLeft', () => {
  it('is what was expected at the start, and never negative', () => {
    fc.assert(
      fc.property(ms, ms, (expected, passed) => {
        expect(msLeft(expected, 0)).toBe(expected);
        expect(msLeft(expected, passed)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('law: of a job that is late, the longer it is the more is left', () => {
    fc.assert(
      fc.property(ms, ms, ms, (expected, late, more) => {
        const passed = expected + late;
        expect(msLeft(expected, passed + more)).toBeGreaterThanOrEqual(msLeft(expected, passed));
        expect(msLeft(expected, passed)).toBeGreaterThanOrEqual(2 * late);
      }),
    );
  });
});

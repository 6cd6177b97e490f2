import { expect, it } from 'vitest';
import fc from 'fast-check';
import { isLargerThan } from '../../../src/core/protocol/json/is-larger-than.js';
import { isSameJson } from '../../../src/core/protocol/json/is-same-json.js';

it('takes values for the same where their JSON is, whatever the order of members', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      expect(isSameJson(one, structuredClone(one))).toBe(true);
      expect(isSameJson({ a: one, b: other }, { b: other, a: one })).toBe(true);
      expect(isSameJson([one, 1], [one, 2])).toBe(false);
      expect(isSameJson({ a: one }, { b: one })).toBe(false);
      expect(isSameJson({ 0: one }, [one])).toBe(false);
    }),
  );
  expect([isSameJson(2n ** 64n, 2n ** 64n), isSameJson(2n ** 64n, 2n ** 64n + 1n)]).toEqual([true, false]);
  expect([isSameJson(null, {}), isSameJson({ a: 1 }, { a: 1, b: 2 })]).toEqual([false, false]);
  expect([isSameJson(0, -0), isSameJson(NaN, NaN)]).toEqual([true, true]);
});

it('takes values for different that are nested too deep to compare, unless they are one', () => {
  const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
  const deep = nested(5_000);
  expect([isSameJson(nested(64), nested(64)), isSameJson(nested(65), nested(65))]).toEqual([true, false]);
  expect([isSameJson(deep, deep), isSameJson([deep], [deep])]).toEqual([true, true]);
});

it('guesses whether a value is large without reading all of it', () => {
  let reads = 0;
  const members = Array.from({ length: 1_000 }, () => ({
    get text() {
      reads += 1;
      return 'x'.repeat(100);
    },
  }));
  expect(isLargerThan({ members }, 1_000)).toBe(true);
  expect(reads).toBeLessThan(20);
  expect(isLargerThan({ members }, 1_000_000)).toBe(false);
});

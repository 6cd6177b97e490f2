import { canonicalJson } from '../../../src/core/protocol/json/canonical-json.js';
import { describe, expect, it } from 'vitest';

describe('canonicalJson', () => {
  it('is the same for equal values with members in any order', () => {
    expect(canonicalJson({ a: 1, b: [true, null] })).toBe(canonicalJson({ b: [true, null], a: 1 }));
  });

  it.each([
    [1, '1'],
    [null, 'null'],
    [[], {}],
    [[1, 2], [12]],
    [
      ['a', 'b'],
      ['a b', ''],
    ],
    [{ a: 1 }, { a: 1, b: undefined }],
    [{ a: 'x', b: 'y' }, { a: 'x,"b" 8 string:y' }],
    [['string:a'], [['a']]],
  ])('distinguishes %j from %j', (one, other) => {
    expect(canonicalJson(one)).not.toBe(canonicalJson(other));
  });

  it('D13: gives up on what is nested too deep, rather than exhaust the stack', () => {
    const nested = Array.from({ length: 100_000 }).reduce<unknown>((inner) => [inner], 1);
    expect(canonicalJson(nested)).toBeUndefined();
    const nest = (times: number): unknown => (times === 0 ? 1 : [nest(times - 1)]);
    expect(canonicalJson(nest(64))).toBeDefined();
    expect(canonicalJson(nest(65))).toBeUndefined();
    expect(canonicalJson([[1]], 1)).toBeUndefined();
    expect(canonicalJson([[1]], 2)).toBeDefined();
  });
});

import { describe, expect, it } from 'vitest';
import { canonicalText } from '../../../src/protocol/outputs/canonical-text.js';

describe('canonicalText', () => {
  it('is the same for equal values, whatever the order of members', () => {
    expect(canonicalText({ a: 1, b: [true, null] })).toBe(canonicalText({ b: [true, null], a: 1 }));
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
  ])('tells %j from %j', (one, other) => {
    expect(canonicalText(one)).not.toBe(canonicalText(other));
  });

  it('D13: gives up on what is nested too deep, rather than exhaust the stack', () => {
    const nested = Array.from({ length: 100_000 }).reduce<unknown>((inner) => [inner], 1);
    expect(canonicalText(nested)).toBeUndefined();
    const nest = (times: number): unknown => (times === 0 ? 1 : [nest(times - 1)]);
    expect(canonicalText(nest(64))).toBeDefined();
    expect(canonicalText(nest(65))).toBeUndefined();
    expect(canonicalText([[1]], 1)).toBeUndefined();
    expect(canonicalText([[1]], 2)).toBeDefined();
  });
});

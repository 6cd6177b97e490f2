import { expect, it } from 'vitest';
import { sameValue, textOf } from '../../../src/workflow/edit/same-value.js';

it.each<readonly [unknown, unknown]>([
  [1n, 1],
  [
    { a: 1, b: [2, { c: 3 }] },
    { b: [2n, { c: 3 }], a: 1 },
  ],
  [{ a: 1, b: undefined }, { a: 1 }],
  [[undefined], [null]],
  [undefined, null],
  [[], []],
])('%o and %o are one value', (one, other) => {
  expect([sameValue(one, other), textOf(one) === textOf(other)]).toEqual([true, true]);
});

it.each<readonly [unknown, unknown]>([
  ['1', 1],
  [{}, []],
  [{ a: 1 }, { b: 1 }],
  [{ a: null }, {}],
  [
    [1, 2],
    [2, 1],
  ],
  [[[1], 2], [[1, 2]]],
  [[1, 2], [12]],
  [[1, [2]], [[1, 2]]],
  [[1, { a: 2 }], [[1, { a: 2 }]]],
  [[[]], [{}]],
  [[1], [1, 1]],
  [{ a: { b: 1 } }, { a: {}, b: 1 }],
  [{ 'a":1,"b': 1 }, { a: 1, b: 1 }],
  ['true', true],
  [NaN, 1],
])('%o and %o are two', (one, other) => {
  expect(sameValue(one, other)).toBe(false);
});

it('a value that holds itself has no text, and one that stands in two places has', () => {
  const own: Record<string, unknown> = { a: [1] };
  expect(textOf([own, own])).toBe(textOf([{ a: [1] }, { a: [1] }]));
  own['b'] = [own];
  expect(() => textOf(own)).toThrow(new TypeError('A value of the workflow holds itself.'));
});

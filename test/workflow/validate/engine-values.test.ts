import { describe, expect, it } from 'vitest';
import { isBelow, isSame, toBoolean, toFloat, toInt } from '../../../src/workflow/validate/engine-values.js';

describe('toInt', () => {
  it.each([
    [12, 12],
    [1.5, 1],
    [-0.5, 0],
    [true, 1],
    ['12', 12],
    [' 12 ', 12],
    ['\t7\n', 7],
    ['\u00857\u3000', 7],
    ['+5', 5],
    ['-0', 0],
    ['1_000', 1000],
    ['08', 8],
    ['１２', 12],
    ['٣', 3],
    ['𝟘𝟿', 9],
  ])('reads %j as the engine does', (value, expected) => {
    expect(toInt(value)).toBe(expected);
  });

  it.each([
    '',
    ' ',
    'abc',
    '12.0',
    '1e3',
    '0x10',
    '--1',
    '1__0',
    '_1',
    '1_',
    '1 2',
    '\uFEFF1',
    '\u001C1',
    '9'.repeat(4301),
  ])('refuses the text %j', (text) => {
    expect(toInt(text)).toBeUndefined();
  });

  it('reads as many digits as the engine', () => {
    expect(toInt('9'.repeat(4300))).toBe(BigInt('9'.repeat(4300)));
    expect(toInt('-9223372036854775809')).toBe(-9223372036854775809n);
    expect(toInt(12n)).toBe(12n);
  });

  it.each([null, {}, [], NaN, Infinity, -Infinity, undefined])('refuses %j', (value) => {
    expect(toInt(value)).toBeUndefined();
  });
});

describe('toFloat', () => {
  it.each([
    [1.5, 1.5],
    [Infinity, Infinity],
    [false, 0],
    ['1.5', 1.5],
    ['.5', 0.5],
    ['5.', 5],
    ['1e-1', 0.1],
    ['1.E+2', 100],
    ['1_0.5', 10.5],
    [' 1 ', 1],
    ['٣.٥', 3.5],
    ['nan', NaN],
    ['inf', Infinity],
    ['-Infinity', -Infinity],
    ['+NaN', NaN],
    ['1e999', Infinity],
  ])('reads %j as the engine does', (value, expected) => {
    expect(toFloat(value)).toBe(expected);
  });

  it.each(['', '1,5', '0x1p3', '1d3', '.', '1_.5', 'e5', 'infinit', '1 2', null, {}, []])(
    'refuses %j',
    (value) => {
      expect(toFloat(value)).toBeUndefined();
    },
  );
});

describe('exact integers', () => {
  it('become floats where they fit', () => {
    expect(toFloat(12n)).toBe(12);
    expect(toFloat(10n ** 400n)).toBeUndefined();
  });

  it('are compared with floats exactly', () => {
    expect(isBelow(2n, 2.5)).toBe(true);
    expect(isBelow(2 ** 64, 2n ** 64n - 1n)).toBe(false);
  });
});

describe('the comparisons of the engine', () => {
  it.each([
    ['false', true],
    [NaN, true],
    [{ a: 1 }, true],
    ['', false],
    [0, false],
    [null, false],
    [{}, false],
    [[], false],
  ])('take %j for %j', (value, expected) => {
    expect(toBoolean(value)).toBe(expected);
  });

  it.each([
    [1, 1.0, true],
    [1, true, true],
    [0, false, true],
    [1, '1', false],
    ['a', 'A', false],
    [null, null, true],
    [null, 0, false],
  ])('call %j and %j the same: %j', (one, other, expected) => {
    expect(isSame(one, other)).toBe(expected);
  });

  it.each([
    [1, 2, true],
    [2, 2, false],
    [NaN, 2, false],
    [true, 2, true],
    ['a', 'b', true],
    ['1', 2, undefined],
    [null, 2, undefined],
    [{}, 2, undefined],
    [2, null, undefined],
  ])('find %j below %j: %j', (one, other, expected) => {
    expect(isBelow(one, other)).toBe(expected);
  });
});

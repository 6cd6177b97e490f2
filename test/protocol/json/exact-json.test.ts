import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { parseExactJson, writeExactJson } from '../../../src/core/protocol/json/exact-json.js';

describe('parseExactJson', () => {
  it.each([
    ['{"seed": 18446744073709551615}', { seed: 18446744073709551615n }],
    [
      '[-9007199254740993, 9007199254740991, 9007199254740992]',
      [-9007199254740993n, 9007199254740991, 9007199254740992n],
    ],
    [
      '{"a": "18446744073709551615", "18446744073709551615": 1}',
      { a: '18446744073709551615', '18446744073709551615': 1 },
    ],
    [
      '[1e30, 12345678901234567890.5, 18446744073709551615e0]',
      [1e30, 12345678901234567890.5, 18446744073709551615],
    ],
    ['"exact integer 18446744073709551615"', 'exact integer 18446744073709551615'],
    ['["exact integer ", 18446744073709551615]', ['exact integer ', 18446744073709551615n]],
    ['{"a": 18446744073709551615, "a": 1}', { a: 1 }],
    ['"a \\" 18446744073709551615"', 'a " 18446744073709551615'],
  ])('reads %s', (text, value) => {
    expect(parseExactJson(text)).toEqual(value);
  });

  it.each(['{', '18446744073709551615x', '[018446744073709551615]', ''])('throws for %j', (text) => {
    expect(() => parseExactJson(text)).toThrow(SyntaxError);
  });

  it('keeps a member of the name __proto__', () => {
    const value = parseExactJson('{"__proto__": 18446744073709551615}');
    expect(Object.entries(value as object)).toEqual([['__proto__', 18446744073709551615n]]);
  });
});

const exact = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc
      .oneof(
        fc.string(),
        fc.double({ maxExcluded: true, max: 2 ** 53, min: -(2 ** 53), minExcluded: true, noNaN: true }),
        fc.constant(null),
      )
      .map((value) => JSON.parse(JSON.stringify(value)) as unknown),
    fc.bigInt().filter((value) => !Number.isSafeInteger(Number(value))),
    fc.string().map((text) => `exact integer ${text}`),
    fc.array(tie('value')),
    fc.dictionary(fc.string(), tie('value')),
  ),
})).value;

describe('writeExactJson', () => {
  it('writes what parseExactJson reads', () => {
    fc.assert(
      fc.property(exact, (value) => {
        expect(parseExactJson(writeExactJson(value))).toEqual(value);
      }),
    );
  });

  it('writes as JSON.stringify what holds no bigint', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => writeExactJson(value) === JSON.stringify(value)));
  });
});

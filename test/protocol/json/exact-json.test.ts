import { describe, expect, it, onTestFinished, vi } from 'vitest';
import fc from 'fast-check';
import {
  parseExactJson,
  parsingExactJson,
  writeExactJson,
} from '../../../src/core/protocol/json/exact-json.js';

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
    [
      '["\\u0065xact integer 7", "exact inte\\u0067er x", 18446744073709551615]',
      ['exact integer 7', 'exact integer x', 18446744073709551615n],
    ],
    ['"a \\" 18446744073709551615"', 'a " 18446744073709551615'],
  ])('reads %s', (text, value) => {
    expect(parseExactJson(text)).toEqual(value);
  });

  it.each([
    '{',
    '18446744073709551615x',
    '[018446744073709551615]',
    '{18446744073709551615: 1}',
    '[18446744073709551615 18446744073709551615]',
    '[18446744073709551615, NaN]',
    '{"a": 18446744073709551615, "b": -Infinity}',
    '',
  ])('throws for %j', (text) => {
    let message = '';
    try {
      JSON.parse(text);
    } catch (error) {
      message = String(error);
    }
    expect(() => parseExactJson(text)).toThrow(SyntaxError);
    expect(() => parseExactJson(text)).toThrow(message.replace('SyntaxError: ', ''));
  });

  it('reads each text once, as deep as JSON.parse does', () => {
    const parse = vi.spyOn(JSON, 'parse');
    onTestFinished(() => parse.mockRestore());
    const levels = 50_000;
    let value = parseExactJson(`${'['.repeat(levels)}18446744073709551615${']'.repeat(levels)}`);
    for (let level = 0; level < levels; level += 1) [value] = value as readonly unknown[];
    expect(value).toBe(18446744073709551615n);
    expect(parse).toHaveBeenCalledOnce();
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
  it('writes a text once, unless another one looks like an integer of it', () => {
    const stringify = vi.spyOn(JSON, 'stringify');
    onTestFinished(() => stringify.mockRestore());
    const texts = () => stringify.mock.results.filter(({ value }) => typeof value === 'string').length;
    expect(writeExactJson({ a: 'b', seed: 2n ** 64n, list: [-(2n ** 70n), '"'] }, 1)).toBe(
      '{\n "a": "b",\n "seed": 18446744073709551616,\n "list": [\n  -1180591620717411303424,\n  "\\""\n ]\n}',
    );
    expect(texts()).toBe(1);
    expect(writeExactJson(['exact integer 0 7', 'a "exact integer 1 7"', 2n ** 64n])).toBe(
      '["exact integer 0 7","a \\"exact integer 1 7\\"",18446744073709551616]',
    );
    expect(texts()).toBe(4);
  });

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

describe('the steps of a reader of exact JSON', () => {
  const stepsOf = (text: string): number => [...parsingExactJson(text)].length;

  it('are as many as a text is long, also where it is one string or has a string for each of its values', () => {
    const one = JSON.stringify(`${'1'.repeat(16)}${'x\\"'.repeat(400_000)}`);
    expect(stepsOf(one)).toBeGreaterThan(one.length / 2 ** 16);
    const many = JSON.stringify(['1'.repeat(16), ...Array.from({ length: 1_000 }, () => 'x')]);
    expect(stepsOf(many)).toBeGreaterThan(1_000);
  });

  it('find digits that stand across the end of a step', () => {
    for (let before = 2 ** 16 - 18; before <= 2 ** 16 + 1; before += 1) {
      const text = `["${'x'.repeat(before)}",9007199254740993]`;
      const steps = parsingExactJson(text);
      let step = steps.next();
      while (step.done !== true) step = steps.next();
      expect(step.value).toEqual(['x'.repeat(before), 9007199254740993n]);
    }
  });

  it('find the end of a string wherever an escape stands', () => {
    for (const length of [2 ** 16 - 2, 2 ** 16 - 1, 2 ** 16, 2 ** 16 + 1]) {
      const value = [`${'x'.repeat(length)}"`, 2n ** 60n + 1n];
      expect(parseExactJson(writeExactJson(value))).toEqual(value);
    }
  });
});

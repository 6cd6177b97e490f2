import { describe, expect, it } from 'vitest';
import { parseExact, parsePython, stringifyExact } from '../../src/emulator/exact-json.js';

describe('parseExact', () => {
  it.each([
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', 9007199254740993n],
    ['-18446744073709551616', -18446744073709551616n],
    ['[0.12345678901234567, 1234567890123456789.5, 12345678901234567e3]', undefined],
    ['"a \\" 12345678901234567890"', undefined],
    ['{"12345678901234567890": "1234567890123456789\\\\"}', undefined],
  ])('reads %s', (text, value) => {
    expect(parseExact(text)).toEqual(value ?? JSON.parse(text));
  });

  it('refuses what is no JSON', () => {
    expect(() => parseExact('{"a": 12345678901234567890')).toThrow(SyntaxError);
  });
});

describe('parsePython', () => {
  it('M13 reads what JSON lacks outside texts, and everything else as parseExact does', () => {
    const text = '{"a": [NaN, -Infinity, Infinity, 9007199254740993], "NaN": "Infinity \\" NaN", "b": [1]}';
    expect(parsePython(text)).toEqual({
      a: [NaN, -Infinity, Infinity, 9007199254740993n],
      NaN: 'Infinity " NaN',
      b: [1],
    });
    expect(() => parsePython('{"a": 1NaN}')).toThrow(SyntaxError);
  });
});

describe('stringifyExact', () => {
  it('writes as JSON.stringify does, and bigints with all their digits', () => {
    expect(stringifyExact({ a: [1.5, null], b: undefined })).toBe('{"a":[1.5,null]}');
    const text = '{"seed":18446744073709551615,"low":-9007199254740993,"text":"9007199254740993"}';
    expect(stringifyExact(parseExact(text))).toBe(text);
  });
});

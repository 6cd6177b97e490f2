import { describe, expect, it } from 'vitest';
import { PythonFloat, pythonJson, pythonNumber, pythonText } from '../../../src/emulator/local/python.js';

describe('pythonJson', () => {
  it('puts blanks after commas and colons', () => {
    expect(pythonJson({ a: [1, 'x', null], b: { c: true }, d: undefined })).toBe(
      '{"a": [1, "x", null], "b": {"c": true}}',
    );
  });

  it('escapes everything but ASCII, also in names', () => {
    expect(pythonJson({ é: 'ok ✗ 🙂\n"\u007f' })).toBe(
      '{"\\u00e9": "ok \\u2717 \\ud83d\\ude42\\n\\"\\u007f"}',
    );
  });

  it('writes the numbers that JSON does not know as bare words', () => {
    expect(pythonJson([NaN, Infinity, -Infinity, -0, -1.5])).toBe('[NaN, Infinity, -Infinity, 0, -1.5]');
  });

  it('writes floats with their point', () => {
    expect(pythonJson([new PythonFloat(7), new PythonFloat(-77.5), new PythonFloat(1e20)])).toBe(
      '[7.0, -77.5, 1e+20]',
    );
  });

  it('reads back as what it was', () => {
    const value = { text: 'ü\t"', list: [1, [2, {}], []], none: null };
    expect(JSON.parse(pythonJson(value))).toEqual(value);
  });
});

describe('pythonText', () => {
  it.each([
    ['a', 'a'],
    ['', ''],
    [42, '42'],
    [null, 'None'],
    [true, 'True'],
    [false, 'False'],
  ])('writes %j as %s', (value, text) => {
    expect(pythonText(value)).toBe(text);
  });
});

describe('pythonNumber', () => {
  it('reads numbers, texts of numbers and truth values', () => {
    expect([7, '-77.5', true].map(pythonNumber)).toEqual([7, -77.5, 1]);
  });

  it.each(['abc', '', null, [], {}])('stumbles over %j', (value) => {
    expect(() => pythonNumber(value)).toThrow('could not convert');
  });
});

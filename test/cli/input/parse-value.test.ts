import { describe, expect, it } from 'vitest';
import { parseValue } from '../../../src/cli/input/parse-value.js';
import { UsageError } from '../../../src/cli/usage-error.js';

describe('parseValue', () => {
  it.each([
    ['7', 7],
    ['-0.5', -0.5],
    ['1e3', 1000],
    ['true', true],
    ['null', null],
    ['"7"', '7'],
    ['["4",0]', ['4', 0]],
    ['{"a":[1]}', { a: [1] }],
    ['9007199254740991', 9007199254740991],
    ['"9007199254740993"', '9007199254740993'],
    ['{"a":"\\"9007199254740993"}', { a: '"9007199254740993' }],
  ])('reads %s as JSON', (text, value) => {
    expect(parseValue(text)).toEqual(value);
  });

  it.each(['a cat', '', '007', 'NaN', "'7'", '{a: 1}', 'True', '1,5', '9007199254740993x'])(
    'takes %j as text',
    (text) => {
      expect(parseValue(text)).toBe(text);
    },
  );

  it.each([
    '9007199254740992',
    '-9007199254740993',
    '18446744073709551615',
    '[1,{"seed":12345678901234567890}]',
    '1e999',
  ])('refuses %s, which would become another number', (text) => {
    expect(() => parseValue(text)).toThrow(UsageError);
    expect(() => parseValue(text)).toThrow("can't be sent exactly");
  });
});

import { describe, expect, it } from 'vitest';
import { parseAssignment, parseValue } from '../../../src/cli/input/assignment.js';
import { UsageError } from '../../../src/cli/cli-io.js';

describe('parseAssignment', () => {
  it.each([
    ['6.text=sunrise', '6.text', 'sunrise'],
    ['6.text=', '6.text', ''],
    ['6.text=a=b.c=d', '6.text', 'a=b.c=d'],
    ['a\\=b.seed=4', 'a\\=b.seed', '4'],
    ['a\\\\.x=b=4', 'a\\\\.x', 'b=4'],
    ['Main sampler.text=one\ntwo', 'Main sampler.text', 'one\ntwo'],
  ])('reads %s', (text, name, value) => {
    expect(parseAssignment('--set', text)).toEqual({ name, value });
  });

  it.each(['', '6', '6.text', 'text=1', '.text=1', '6.=1', '=1', '.=1'])(
    'refuses %j with an example',
    (text) => {
      expect(() => parseAssignment('--set', text)).toThrow(UsageError);
      expect(() => parseAssignment('--set', text)).toThrow('--set 6.text=sunrise');
    },
  );
});

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
    ['18446744073709551615', 18446744073709551615n],
    ['[1,{"seed":-12345678901234567890}]', [1, { seed: -12345678901234567890n }]],
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

  it.each(['1e999', '[1,{"seed":-1e400}]'])('refuses %s, which would become another number', (text) => {
    expect(() => parseValue(text)).toThrow(UsageError);
    expect(() => parseValue(text)).toThrow("can't be sent exactly");
  });
});

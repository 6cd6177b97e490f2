import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/protocol/parse-json.js';

describe('parseJson', () => {
  it.each([
    ['{"a":[1,"x",null]}', { a: [1, 'x', null] }],
    ['"NaN"', 'NaN'],
    ['NaN', null],
    ['Infinity', null],
    ['-Infinity', null],
    ['[NaN, Infinity, -Infinity, -1.5]', [null, null, null, -1.5]],
    ['[NaN,NaN]', [null, null]],
    ['{"NaN":NaN,"-Infinity":"Infinity"}', { NaN: null, '-Infinity': 'Infinity' }],
    ['["say \\"NaN, NaN\\"",NaN]', ['say "NaN, NaN"', null]],
    ['["ends in a backslash \\\\",NaN]', ['ends in a backslash \\', null]],
    ['["\\\\\\"NaN",NaN,-2]', ['\\"NaN', null, -2]],
    ['\n{ "a" : NaN }\t', { a: null }],
  ])('reads %j', (text, value) => expect(parseJson(text)).toStrictEqual(value));

  it.each([
    '',
    'nope',
    '{"a":1NaN}',
    '{"a":NaN1}',
    '{"a":NaNNaN}',
    '{"a":--Infinity}',
    '{"a":-NaN}',
    '{"a":+Infinity}',
    '{NaN:1}',
    '{"a":NaN',
    '["open NaN',
    '["open NaN\\',
    '[Infinit]',
    '[nan]',
  ])('refuses %j', (text) => expect(parseJson(text)).toBeUndefined());

  it('leaves a member called __proto__ an ordinary member', () => {
    const parsed = parseJson('{"__proto__":{"polluted":NaN}}');
    expect(JSON.stringify(parsed)).toBe('{"__proto__":{"polluted":null}}');
  });

  it('reads ten million characters, strings and numbers, without recursion', () => {
    const long = 'x\\"NaN'.repeat(1_000_000);
    const parsed = parseJson(`{"text":"${long}","numbers":[${'NaN,'.repeat(1_000_000)}1]}`);
    const { text, numbers } = parsed as { text: string; numbers: unknown[] };
    expect(text).toHaveLength(5_000_000);
    expect(numbers).toHaveLength(1_000_001);
    expect(numbers.at(0)).toBeNull();
    expect(numbers.at(-1)).toBe(1);
  });
});

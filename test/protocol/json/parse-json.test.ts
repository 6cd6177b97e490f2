import { decodeFrame } from '../../../src/core/protocol/frames/decode-frame.js';
import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { parseJson } from '../../../src/core/protocol/json/parse-json.js';
import { runs } from '../../helpers/runs.js';

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

  it('reads a million characters, strings and numbers, ten million in all runs, without recursion', () => {
    const length = runs(1_000_000);
    const long = 'x\\"NaN'.repeat(length);
    const parsed = parseJson(`{"text":"${long}","numbers":[${'NaN,'.repeat(length)}1]}`);
    const { text, numbers } = parsed as { text: string; numbers: unknown[] };
    expect(text).toHaveLength(5 * length);
    expect(numbers).toHaveLength(length + 1);
    expect(numbers.at(0)).toBeNull();
    expect(numbers.at(-1)).toBe(1);
  });
});

const lists = (levels: number, core = ''): string => '['.repeat(levels) + core + ']'.repeat(levels);
const objects = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);
/** With so much room behind it that it is looked at. */
const roomy = (text: string): string => text.padEnd(512);
const event = (data: string, type = 'a_new_one'): string => `{"type":"${type}","data":${data}}`;

describe('JSON nested too deep', () => {
  it.each([65, 66, 1000, 100_000])('D13 is none: %d levels', (levels) => {
    expect(parseJson(roomy(lists(levels)))).toBeUndefined();
    expect(parseJson(roomy(objects(levels)))).toBeUndefined();
    expect(parseJson(roomy(`[1,{"a":"x"},${lists(levels - 1, 'NaN')}]`))).toBeUndefined();
    expect(parseJson(roomy(`{"__proto__":${objects(levels - 1)}}`))).toBeUndefined();
  });

  it('D13 is read up to 64 levels, however many objects and lists there are', () => {
    expect(parseJson(roomy(lists(64)))).toEqual(JSON.parse(lists(64)));
    expect(parseJson(roomy(objects(64)))).toEqual(JSON.parse(objects(64)));
    const wide = `[${Array.from({ length: 1000 }, () => '{"a":[{}]}').join()}]`;
    expect(parseJson(wide)).toEqual(JSON.parse(wide));
    const quoted = JSON.stringify(lists(1000));
    expect(parseJson(quoted)).toBe(lists(1000));
  });

  it('D13 has at most 255 levels in a text of less than 512 characters', () => {
    const deepest = lists(255);
    expect(deepest.length).toBeLessThan(512);
    const value = parseJson(deepest);
    expect(value).toEqual(JSON.parse(deepest));
    expect(structuredClone(value)).toEqual(value);
    expect(parseJson(lists(256))).toBeUndefined();
  });

  it('D13 is none exactly where a value has more than 64 levels', () => {
    const levelsOf = (value: unknown): number =>
      typeof value === 'object' && value !== null
        ? 1 + Math.max(0, ...Object.values(value).map((member) => levelsOf(member)))
        : 0;
    const wrapped = fc
      .tuple(fc.jsonValue({ maxDepth: 3 }), fc.array(fc.boolean(), { minLength: 58, maxLength: 66 }))
      .map(([core, kinds]) =>
        kinds.reduce<unknown>((inner, isList) => (isList ? [0, inner] : { x: [], y: inner }), core),
      );
    fc.assert(
      fc.property(wrapped, (value) => {
        expect(parseJson(roomy(JSON.stringify(value))) === undefined).toBe(levelsOf(value) > 64);
      }),
    );
  });
});

describe('a text message nested too deep', () => {
  it.each([
    ['of a known type', event(`{"value":{"a":${lists(100_000)}}}`, 'notification')],
    ['of an unknown type', event(lists(100_000))],
    ['in an unknown member', event(`{"value":1,"max":2,"extra":${objects(1000)}}`, 'progress')],
    ['as a whole', lists(100_000)],
  ])('D13 is Malformed: %s', (_, text) => {
    const frame = decodeFrame(text);
    expect(frame).toMatchObject({ _tag: 'Malformed', size: text.length });
    expect(() => structuredClone(frame)).not.toThrow();
    expect(() => JSON.stringify(frame)).not.toThrow();
  });
});

import { expect, it } from 'vitest';
import { parsePythonJson } from '../../../src/cli/input/python-json.js';

it.each<readonly [string, unknown]>([
  ['{"a": NaN, "b": [Infinity, -Infinity]}', { a: null, b: [null, null] }],
  ['{"NaN": "Infinity", "a": NaN}', { NaN: 'Infinity', a: null }],
  ['{"a": "say \\"NaN\\" \\\\", "b": NaN}', { a: 'say "NaN" \\', b: null }],
  ['[18446744073709551615, NaN]', [18446744073709551615n, null]],
  ['{"a": 1}', { a: 1 }],
])('reads %s as Python means it', (text, value) => {
  expect(parsePythonJson(text)).toEqual(value);
});

it.each(['', '{', 'NaNs', '[1NaN]', '[-InfinityInfinity]', '[NaNInfinity]', '{"a": xNaN}', "{'a': NaN}"])(
  'refuses %s, which is no JSON of Python',
  (text) => {
    expect(() => parsePythonJson(text)).toThrow();
  },
);

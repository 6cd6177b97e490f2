import { describe, expect, it } from 'vitest';
import { lostNumbers } from '../../../src/cli/input/lost-numbers.js';

describe('lostNumbers', () => {
  it('finds each with its path and line', () => {
    const text = [
      '{ "3": { "class_type": "KSampler",',
      '    "inputs": { "seed": 18446744073709551615, "cfg": 7.5, "model": ["4", 0] } },',
      '  "a \\"b": { "list": [1, [2, -9007199254740993], 1e999] } }',
    ].join('\n');
    expect(lostNumbers(text)).toEqual([
      { text: '18446744073709551615', path: ['3', 'inputs', 'seed'], line: 2 },
      { text: '-9007199254740993', path: ['a "b', 'list', '1', '1'], line: 3 },
      { text: '1e999', path: ['a "b', 'list', '2'], line: 3 },
    ]);
  });

  it.each([
    '"18446744073709551615"',
    '{"18446744073709551615":1}',
    '{"a":"\\\\","b":"\\"18446744073709551615"}',
    '9007199254740991',
    '[0.1234567890123456789, 1e20, -0, 1E-9]',
    '[true,false,null,{},[],""]',
  ])('finds none in %s', (text) => {
    expect(lostNumbers(text)).toEqual([]);
  });

  it('looks behind a text of many megabytes', () => {
    const picture = `${'\\"'.repeat(1_000_000)}${'a'.repeat(8_000_000)}`;
    expect(lostNumbers(`{"a":"${picture}","b":9007199254740993}`)).toEqual([
      { text: '9007199254740993', path: ['b'], line: 1 },
    ]);
  });
});

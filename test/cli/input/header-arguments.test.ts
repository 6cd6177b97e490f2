import { expect, it } from 'vitest';
import { headerArguments } from '../../../src/cli/input/headers.js';

it('the values of headers among the arguments, which no error may quote, are found in either form and of any lines', () => {
  expect(
    headerArguments(['--header', 'X-A: one', '--header=X-B: two\nlines', '--header=X-C:three\r']),
  ).toEqual([...['one', 'two\nlines', 'three']]);
  expect(
    headerArguments(['--header', '@file', '--header=@other', 'X-D: four', '--headers=X-E: five']),
  ).toEqual([]);
  expect(headerArguments(['--header', 'a value without a name'])).toEqual(['a value without a name']);
});

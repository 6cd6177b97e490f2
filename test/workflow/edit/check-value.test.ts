import { expect, it } from 'vitest';
import { checkValue } from '../../../src/workflow/edit/check-value.js';
import type { FieldRule } from '../../../src/workflow/edit/field-rule.js';

const asset = { __type: 'core/ASSET', info: { id: 'a' } };
const choices = ['euler', 'heun', 3, true, null];
const many = Array.from({ length: 9 }, (_, nth) => nth);

it.each<readonly [FieldRule, readonly unknown[], readonly unknown[]]>([
  [{ kind: 'any' }, [null, {}, 'a'], []],
  [{ kind: 'text' }, ['', 'a'], [1, null, ['a']]],
  [
    { kind: 'file' },
    ['', 'a.png', asset],
    [
      1,
      null,
      [asset],
      { ...asset, info: {} },
      { ...asset, info: null },
      { ...asset, __type: 'x' },
      { ...asset, info: { id: 1 } },
    ],
  ],
  [{ kind: 'switch' }, [true, false], [0, 'true', null]],
  [{ kind: 'integer', min: 1, max: 3 }, [1, 2, 3, 1n, 3n], [0, 4, 0n, 4n, 1.5, '1', NaN, null]],
  [{ kind: 'number', min: 0.5, max: 1 }, [0.5, 0.7, 1, 1n], [0.4, 1.1, Infinity, NaN, '1', 0n]],
  [{ kind: 'integer' }, [-1e9, 2n ** 70n], [0.5]],
  [{ kind: 'choice', choices }, choices, ['Euler', 4, false, undefined]],
  [{ kind: 'choices', choices }, [[], ['heun'], ['euler', 3]], ['heun', [['heun']], ['heun', 4], null]],
])('%o takes %o and not %o', (rule, taken, refused) => {
  expect(taken.filter((value) => checkValue(rule, value) !== undefined)).toEqual([]);
  expect(refused.filter((value) => checkValue(rule, value) === undefined)).toEqual([]);
});

it.each<readonly [FieldRule, unknown, object]>([
  [{ kind: 'text' }, 1, { type: 'invalid_input_type', message: 'takes a text, not 1.' }],
  [
    { kind: 'file' },
    1,
    { type: 'invalid_input_type', message: 'takes the name of a file or an asset, not 1.' },
  ],
  [{ kind: 'switch' }, 'x', { type: 'invalid_input_type', message: 'takes true or false, not "x".' }],
  [{ kind: 'integer' }, 0.5, { type: 'invalid_input_type', message: 'takes a whole number, not 0.5.' }],
  [{ kind: 'number' }, 'x', { type: 'invalid_input_type', message: 'takes a number, not "x".' }],
  [{ kind: 'choices', choices }, 'x', { type: 'invalid_input_type', message: 'takes a list, not "x".' }],
  [
    { kind: 'number', min: 2 },
    1,
    { type: 'value_smaller_than_min', message: 'is 1, below its minimum of 2.', fix: 2 },
  ],
  [
    { kind: 'number', max: 2 },
    3,
    { type: 'value_bigger_than_max', message: 'is 3, above its maximum of 2.', fix: 2 },
  ],
  [
    { kind: 'choice', choices },
    'eular',
    {
      type: 'value_not_in_list',
      message: 'is "eular", which is not one of ["euler", "heun", 3, true, null]; "euler" is like it.',
      suggestion: 'euler',
    },
  ],
  [
    { kind: 'choice', choices: many },
    9,
    { type: 'value_not_in_list', message: 'is 9, which is not one of the 9 values of its list.' },
  ],
  [
    { kind: 'choice', choices: many.slice(1) },
    9,
    { type: 'value_not_in_list', message: 'is 9, which is not one of [1, 2, 3, 4, 5, 6, 7, 8].' },
  ],
])('%o says of %o what is wrong', (rule, value, finding) => {
  expect(checkValue(rule, value)).toEqual({ severity: 'error', ...finding });
});

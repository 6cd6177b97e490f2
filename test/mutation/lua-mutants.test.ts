import { expect, it } from 'vitest';
import { luaMutants } from './lua-mutants.js';

/** The Lua texts with one mutant each. */
const variants = (source: string): readonly string[] =>
  luaMutants(source).map(
    ({ start, end, replacement }) => source.slice(0, start) + replacement + source.slice(end),
  );

it('changes comparisons, arithmetic, logic and numbers', () => {
  expect(variants('return a == 0 and b <= 12')).toEqual([
    'return a ~= 0 and b <= 12',
    'return a == 1 and b <= 12',
    'return a == 0 or b <= 12',
    'return a == 0 and b < 12',
    'return a == 0 and b > 12',
    'return a == 0 and b <= 24',
  ]);
  expect(variants('x = not a - b * c')).toEqual(['x =  a - b * c', 'x = not a + b * c', 'x = not a - b / c']);
  expect(variants('return -priority')).toEqual(['return priority']);
});

it('takes every condition for true and for false', () => {
  expect(variants("if held ~= 'held' then return end")).toEqual([
    'if true then return end',
    'if false then return end',
    "if held == 'held' then return end",
  ]);
});

it('leaves out a call that is a statement, to the bracket that closes it', () => {
  expect(variants("redis.call('SET', key(id),\n  value)\nlocal a = f(b)")).toEqual(['\nlocal a = f(b)']);
  expect(variants('if a then enqueue(id) end').at(-1)).toBe('if a then  end');
});

it('leaves comments, strings and names alone', () => {
  expect(variants("-- 1 == 2\nlocal a1 = '1 and 2 ~= 3' .. b")).toEqual([]);
});

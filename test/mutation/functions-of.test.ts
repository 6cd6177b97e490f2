import vm from 'node:vm';
import { describe, expect, it } from 'vitest';
import { functionsOf } from './functions-of.js';

const source = `const most = 3;
const double = (n: number) => ({ twice: n * 2 });
export function* upTo(end = most) {
  const isIn = (n: number): boolean => n < end;
  for (let n = 0; isIn(n); n += 1) yield double(n);
}`;

describe('functionsOf', () => {
  it.each([
    ['what runs as the module is loaded', 'most = 3', 0],
    ['an arrow without a block', 'n * 2', 1],
    ['a function', 'n += 1', 2],
    ['a default of its parameter', 'end = most', 2],
    ['a function in another', 'n < end', 3],
  ])('finds %s', (_, text, number) => {
    const at = source.indexOf(text);
    expect(functionsOf(source).around(at, at + text.length)).toBe(number);
  });

  it('has each function say that it begins, and changes nothing else', () => {
    const plain = source.replaceAll(': number', '').replace(': boolean', '').replace('export ', '');
    const hits: number[] = [];
    const code = `${functionsOf(plain).counted}; return [...upTo()];`;
    const run = vm.compileFunction(code, ['hit']) as (hit: (number: number) => void) => unknown;
    expect(run((number) => hits.push(number))).toEqual([{ twice: 0 }, { twice: 2 }, { twice: 4 }]);
    expect(hits).toEqual([0, 2, 3, 1, 3, 1, 3, 1, 3]);
  });
});

import { describe, expect, it } from 'vitest';
import { withMutant } from './mutant.js';
import { mutantsOf } from './mutants-of.js';

const variants = (source: string): readonly string[] =>
  mutantsOf(source).map((mutant) => withMutant(source, mutant));

describe('mutantsOf', () => {
  it.each([
    ['a boundary', 'a < b', ['a <= b', 'a >= b']],
    ['an equality', 'a === b', ['a !== b']],
    ['a connection', 'a && b', ['((a) || (b))', 'true && b', 'a && true']],
    ['a default', 'a ?? b', ['((a) && (b))']],
    ['arithmetic', 'a - b', ['a + b']],
    ['a negation', 'f(!a)', ['f(a)', ';']],
    ['a number', 'f(0, 7)', ['f(1, 7)', 'f(0, 14)', ';']],
    ['a text', "f('a', '')", ["f('', '')", "f('a', 'mutant')", ';']],
    ['a list and an object', 'f([1], { a })', ['f([], { a })', 'f([2], { a })', 'f([1], {})', ';']],
    ['an optional chain', 'x = a?.b', ['x = a.b', ';']],
    ['a method', 'x = a.some(b)', ['x = a.every(b)', ';']],
    ['a call that is dropped', 'x = a.trim()', ['x = a', ';']],
    ['a result', 'x = () => a', ['x = () => undefined', ';']],
    ['a pattern', 'x = /^a+[b]/u', ['x = /a+[b]/u', 'x = /^a[b]/u', 'x = /^a+[^b]/u', ';']],
  ])('changes %s', (_, source, expected) => {
    expect(new Set(variants(source))).toEqual(
      new Set(source.startsWith('x') ? expected : [...expected, ';']),
    );
  });

  it('decides a condition both ways, and lets no loop run for ever', () => {
    expect(variants('if (a) b();')).toEqual(['if (false) b();', 'if (true) b();', 'if (a) ;']);
    expect(variants('while (a) b();')).toEqual(['while (false) b();', 'while (a) ;']);
  });

  it('leaves a method alone that every object has', () => {
    expect(variants('x = a.toString()')).toEqual([';']);
  });

  it('leaves types, imports, names of members and text for people alone', () => {
    const source = `import a from 'a'; type B = 'b' | 1; export { a }; interface C { readonly d: 'd' }`;
    expect(mutantsOf(source)).toEqual([]);
    expect(variants(`const a = { 'b': 'for people' };`)).toEqual(['const a = {};']);
  });

  it('says where each one is', () => {
    expect(mutantsOf('a;\nb < c;')).toContainEqual({
      kind: 'operator',
      line: 2,
      start: 5,
      end: 6,
      replacement: '<=',
    });
  });
});

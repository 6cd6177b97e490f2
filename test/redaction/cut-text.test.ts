import { cutText } from '../../src/core/redaction/cut-text.js';
import { expect, it } from 'vitest';
import fc from 'fast-check';

it.each([
  ['a b', 3, 'a b'],
  ['a bcd', 4, 'a …'],
  ['a b cd', 5, 'a b …'],
  ['"a":"bcd"', 8, '"a":"…'],
  ['abcdef', 3, '…'],
  ['x'.repeat(3_000), 2_000, `${'x'.repeat(975)}…`],
])('%j in %i characters', (text, max, cut) => {
  expect(cutText(text, max)).toBe(cut);
});

it('H3: for any text and bound, a word in it is whole or gone, and the bound holds', () => {
  const word = 'hushhush-0123456789';
  const around = fc.string({ unit: fc.constantFrom('a', ' ', ',', '"', '/'), maxLength: 80 });
  fc.assert(
    fc.property(around, around, fc.integer({ min: 1, max: 160 }), (before, after, max) => {
      const cut = cutText(`${before} ${word} ${after}`, max);
      expect(cut.length).toBeLessThanOrEqual(Math.max(max, 1));
      expect(cut.replaceAll(word, '')).not.toContain(word.slice(0, 2));
    }),
  );
});

import { describe, expect, it } from 'vitest';
import { huffmanCode } from '../../../../../src/emulator/engine/files/jpeg/huffman-code.js';

const codeOf = (counts: Readonly<Record<number, number>>) => {
  const table = new Uint32Array(256);
  for (const [symbol, count] of Object.entries(counts)) table[Number(symbol)] = count;
  return huffmanCode(table);
};

const wordsOf = ({ symbols, codes, lengths }: ReturnType<typeof codeOf>): readonly string[] =>
  symbols.map((symbol) => codes[symbol]!.toString(2).padStart(lengths[symbol]!, '0'));

const fibonacci = (): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (let symbol = 0, a = 1, b = 1; symbol < 40; symbol += 1, [a, b] = [b, a + b]) counts[symbol] = a;
  return counts;
};

describe('huffmanCode', () => {
  it.each<[string, Readonly<Record<number, number>>]>([
    ['one symbol', { 7: 3 }],
    ['two symbols', { 0: 1, 255: 9 }],
    ['even counts', Object.fromEntries(Array.from({ length: 256 }, (_, symbol) => [symbol, 1]))],
    ['counts that would lead to 40 bits', fibonacci()],
  ])('makes a code that a decoder can read for %s', (_, counts) => {
    const code = codeOf(counts);
    const words = wordsOf(code);
    expect(code.symbols.toSorted((a, b) => a - b)).toEqual(Object.keys(counts).map(Number));
    for (const [index, word] of words.entries()) {
      expect(word.length).toBeGreaterThanOrEqual(1);
      expect(word.length).toBeLessThanOrEqual(16);
      expect(word).toContain('0');
      expect(words.some((other, place) => place !== index && other.startsWith(word))).toBe(false);
    }
  });

  it('gives frequent symbols short codes', () => {
    const { lengths } = codeOf({ 1: 100, 2: 10, 3: 9, 4: 1 });
    expect([1, 2, 3, 4, 5].map((symbol) => lengths[symbol])).toEqual([1, 2, 3, 4, 0]);
  });

  it('has no code for nothing', () => {
    expect(codeOf({}).symbols).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { fitText, textWidth } from '../../../src/cli/terminal/text-width.js';

describe('textWidth', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['é', 1],
    ['e\u0301', 1],
    ['猫', 2],
    ['ｆｕ', 4],
    ['👩‍💻', 2],
    ['█░', 2],
  ])('of %j is %i', (text, width) => {
    expect(textWidth(text)).toBe(width);
  });
});

describe('fitText', () => {
  it.each([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'ab…'],
    ['猫猫猫', 5, '猫猫…'],
    ['猫猫猫', 4, '猫…'],
    ['abc', 1, '…'],
    ['abc', 0, ''],
    ['', 0, ''],
  ])('of %j into %i columns is %j', (text, columns, fitted) => {
    expect(fitText(text, columns)).toBe(fitted);
  });
});

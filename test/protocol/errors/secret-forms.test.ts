import { describe, expect, it } from 'vitest';
import { base64Forms, charactersOf, escapeForPattern } from '../../../src/protocol/errors/secret-forms.js';

describe('charactersOf', () => {
  it('keeps a run of backslashes together, pairs of code units whole, and line breaks', () => {
    expect(charactersOf('a\\\\\\b🎈\n')).toEqual(['a', '\\\\\\', 'b', '🎈', '\n']);
  });
});

describe('escapeForPattern', () => {
  it('escapes every character that means something in a pattern', () => {
    const text = '\\^$.*+?()[]{}|/-^.a';
    expect(escapeForPattern(text)).toBe(text.replaceAll(/[^a]/g, (character) => `\\${character}`));
  });
});

describe('base64Forms', () => {
  it('gives the digits that the secret alone decides, at each of three offsets', () => {
    const secret = '\u00fb\u00ff\u00bfabc';
    const bytes = Buffer.from(secret, 'latin1');
    const forms = base64Forms(bytes).map((digits) => new RegExp(`^${digits.join('')}$`));
    const digitsAt = (before: number): string =>
      Buffer.concat([Buffer.alloc(before), bytes])
        .toString('base64')
        .replaceAll('=', '');
    expect(forms.map((form, at) => form.test(digitsAt(at).slice([0, 2, 3][at], [8, 9, 10][at])))).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('gives none for less than five bytes', () => {
    expect([base64Forms(Buffer.from('1234')).length, base64Forms(Buffer.from('12345')).length]).toEqual([
      0, 3,
    ]);
  });
});

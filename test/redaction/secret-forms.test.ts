import {
  base64Forms,
  charactersOf,
  escapeForPattern,
  mayContain,
} from '../../src/core/redaction/secret-forms.js';
import { describe, expect, it } from 'vitest';
import { encodingsOf } from '../helpers/canary.js';

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

describe('mayContain', () => {
  const key = 'comfyui-0123456789abcdef-Jx4Qw9Lm';

  it('H18: is false for the usual messages of services, and always without secrets', () => {
    const usual = [
      '{"type": "executed", "data": {"output": {"images": [{"filename": "ComfyUI_00001_.png"}]}}}',
      '{"type": "progress", "data": {"prompt_id": "6a1f0c52-7d3e-4b8a-9c1d-2e5f60718293", "value": 1}}',
    ];
    for (const text of usual) expect(mayContain([key])(text)).toBe(false);
    expect(mayContain([])('\\ % \0')).toBe(false);
  });

  it('H18: looks for the end of every secret, as keys share their beginning', () => {
    const test = mayContain(['comfyui-0123456789', key]);
    expect(test('comfyui-0000')).toBe(false);
    for (const secret of ['comfyui-0123456789', key]) {
      for (const [, form] of encodingsOf(secret)) expect(test(form)).toBe(true);
    }
  });

  const base64 = (before: string): string => Buffer.from(`${before}${key}`).toString('base64');

  it.each([
    ['as it is', key.slice(-6), key.slice(-5)],
    ['reversed', Array.from(key.slice(0, 6)).toReversed().join(''), 'yfmoc'],
    ['in hex', '51 77 39 4c 6d'.slice(-8), '4c6d'],
    // The last byte of the key ends within a digit, which the text behind it decides as well.
    ['in base64', base64('').slice(-6), base64('').slice(-5)],
    ['in base64, a byte into other data', base64('u').slice(-9, -3), base64('u').slice(-8, -3)],
    ['in base64, two bytes into other data', base64('uu').slice(-8, -2), base64('uu').slice(-7, -2)],
  ])('H18: detects a secret %s by its last six characters, or three bytes in hex', (_, end, less) => {
    expect([mayContain([key])(`<${end}>`), mayContain([key])(`<${less}>`)]).toEqual([true, false]);
  });

  it('H18: reads the plus of a form as a space', () => {
    expect(mayContain(['open a door'])('<a+door>')).toBe(true);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mayHold } from '../../../src/protocol/errors/may-hold.js';
import { valueRedactor } from '../../../src/protocol/errors/value-redactor.js';
import { encodingsOf } from '../../helpers/canary.js';
import { spelled } from '../../helpers/spelled.js';

const secrets = fc.string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 24 });

describe('valueRedactor', () => {
  it('H18: law: finds in a value what it finds without the text that the value was read from', () => {
    const told = secrets.chain((key) =>
      fc.tuple(
        fc.constant(key),
        fc.oneof(spelled(key), fc.constantFrom(...encodingsOf(key).map(([, form]) => form))),
        fc.string(),
      ),
    );
    fc.assert(
      fc.property(told, ([key, form, more]) => {
        const value = { [more]: 1, deep: [{ text: `${more} ${form}` }] };
        const redactValue = valueRedactor([key]);
        const alone = redactValue(value);
        expect(alone).not.toEqual(value);
        expect(redactValue(value, JSON.stringify(value))).toEqual(alone);
      }),
      { numRuns: 500 },
    );
  });

  it('H16: gives a value back itself, and each part of it, where it holds no secret', () => {
    const value = { a: ['x', { b: '100 %' }], c: { d: 'the-secret' }, e: Uint8Array.of(1) };
    const redactValue = valueRedactor(['the-secret']);
    const safe = redactValue(value);
    expect(safe).toEqual({ ...value, c: { d: '[redacted]' } });
    expect([safe.a, safe.e]).toEqual([value.a, value.e]);
    expect(safe.a).toBe(value.a);
    expect(safe.e).toBe(value.e);
    expect(redactValue(value.a)).toBe(value.a);
    expect(redactValue(value, 'a text without it')).toBe(value);
  });

  it('H16: leaves a secret of less than 8 characters', () => {
    expect(valueRedactor(['1234567'])('1234567')).toBe('1234567');
    expect(valueRedactor(['12345678', '1234567'])('12345678 1234567')).toBe('[redacted] 1234567');
  });
});

describe('mayHold', () => {
  const key = 'comfyui-0123456789abcdef-Jx4Qw9Lm';

  it('H18: says no to what services usually say, and nothing for no secrets', () => {
    const usual = [
      '{"type": "executed", "data": {"output": {"images": [{"filename": "ComfyUI_00001_.png"}]}}}',
      '{"type": "progress", "data": {"prompt_id": "6a1f0c52-7d3e-4b8a-9c1d-2e5f60718293", "value": 1}}',
    ];
    for (const text of usual) expect(mayHold([key])(text)).toBe(false);
    expect(mayHold([])('\\ % \0')).toBe(false);
  });

  it('H18: looks for every secret, and by its end, as keys begin alike', () => {
    const test = mayHold(['comfyui-0123456789', key]);
    expect(test('comfyui-0000')).toBe(false);
    for (const secret of ['comfyui-0123456789', key]) {
      for (const [, form] of encodingsOf(secret)) expect(test(form)).toBe(true);
    }
  });
});

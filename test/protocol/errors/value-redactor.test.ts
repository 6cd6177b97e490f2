import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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

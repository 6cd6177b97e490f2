import { describe, expect, it } from 'vitest';
import { encodingsOf } from '../helpers/canary.js';
import fc from 'fast-check';
import { redactJson, valueRedactor } from '../../src/core/redaction/redact-value.js';
import { spelled } from '../helpers/spelled.js';
import { runs } from '../helpers/runs.js';

const secrets = fc.string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 24 });

describe('valueRedactor', () => {
  it('H18: law: finds in a value what it finds without the text that the value was read from', () => {
    const reported = secrets.chain((key) =>
      fc.tuple(
        fc.constant(key),
        fc.oneof(spelled(key), fc.constantFrom(...encodingsOf(key).map(([, form]) => form))),
        fc.string(),
      ),
    );
    fc.assert(
      fc.property(reported, ([key, form, more]) => {
        const value = { [more]: 1, deep: [{ text: `${more} ${form}` }] };
        const redactValue = valueRedactor([key]);
        const alone = redactValue(value);
        expect(alone).not.toEqual(value);
        expect(redactValue(value, JSON.stringify(value))).toEqual(alone);
      }),
      { numRuns: runs(500) },
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

const redact = (text: string): string => text.replaceAll('key', '…');

describe('redactJson', () => {
  it('H1 looks into every text and leaves the rest', () => {
    const value = { a: 'a key', b: [1, null, true, ['key']], c: { d: 'key' } };
    expect(redactJson(value, redact)).toEqual({ a: 'a …', b: [1, null, true, ['…']], c: { d: '…' } });
  });

  it('H15: looks into names', () => {
    expect(redactJson([{ 'a key': 1, b: { key: 'key' } }], redact)).toEqual([{ 'a …': 1, b: { '…': '…' } }]);
  });

  it('H15: renames a member whose value holds none', () => {
    expect(redactJson({ 'a key': 1 }, redact)).toEqual({ 'a …': 1 });
  });

  it('H16: does not look into bytes', () => {
    const bytes = Uint8Array.of(1, 2);
    expect(redactJson(bytes, (text) => text.replace('0', '…'))).toBe(bytes);
  });

  it('H1: makes members like those of any object', () => {
    expect(Object.getOwnPropertyDescriptors(redactJson({ a: 'key' }, redact))).toEqual(
      Object.getOwnPropertyDescriptors({ a: '…' }),
    );
  });

  it('H1 keeps a member called __proto__ harmless, and objects without a prototype so', () => {
    const value = JSON.parse('{"__proto__":{"x":"key"}}') as Record<string, unknown>;
    const safe = redactJson(value, redact);
    expect(Object.keys(safe)).toEqual(['__proto__']);
    expect((safe as { readonly x?: unknown }).x).toBeUndefined();
    expect(Object.getPrototypeOf(redactJson(Object.create(null), redact))).toBeNull();
  });

  it('H1 H12 drops levels below the 72nd', () => {
    const deep = JSON.parse(`${'['.repeat(100_000)}"key"${']'.repeat(100_000)}`) as unknown;
    expect(JSON.stringify(redactJson(deep, redact))).toBe(`${'['.repeat(72)}null${']'.repeat(72)}`);
    const objects = JSON.parse(`${'{"a":'.repeat(73)}{}${'}'.repeat(73)}`) as unknown;
    expect(JSON.stringify(redactJson(objects, redact))).toBe(`${'{"a":'.repeat(72)}null${'}'.repeat(72)}`);
    const number = JSON.parse(`${'['.repeat(72)}1${']'.repeat(72)}`) as unknown;
    expect(redactJson(number, redact)).toBe(number);
  });
});

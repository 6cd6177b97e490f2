import { describe, expect, it } from 'vitest';
import { redactJson } from '../../../src/protocol/errors/redact-json.js';

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

  it('H1 H12 leaves out what nobody reads, however deep it goes', () => {
    const deep = JSON.parse(`${'['.repeat(100_000)}"key"${']'.repeat(100_000)}`) as unknown;
    expect(JSON.stringify(redactJson(deep, redact))).toBe(`${'['.repeat(72)}null${']'.repeat(72)}`);
    const objects = JSON.parse(`${'{"a":'.repeat(73)}{}${'}'.repeat(73)}`) as unknown;
    expect(JSON.stringify(redactJson(objects, redact))).toBe(`${'{"a":'.repeat(72)}null${'}'.repeat(72)}`);
    const number = JSON.parse(`${'['.repeat(72)}1${']'.repeat(72)}`) as unknown;
    expect(redactJson(number, redact)).toBe(number);
  });
});

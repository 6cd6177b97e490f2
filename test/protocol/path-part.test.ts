import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { isWellFormed, pathPart } from '../../src/core/protocol/path-part.js';

describe('T1 a text from outside in an address', () => {
  it('law: is encoded whatever it holds, and read back where UTF-8 can carry it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (text, isCut) => {
        const whole = isCut ? `${text}\ud800` : text;
        const read = decodeURIComponent(pathPart(whole));
        expect(read).toBe(isCut ? `${text}\ufffd` : whole);
        expect(isWellFormed(whole)).toBe(!isCut);
      }),
    );
  });

  it('has U+FFFD for either half of a pair, and pairs as they are', () => {
    expect(pathPart('a\udc00b\ud83d\ude00\ud83d')).toBe('a%EF%BF%BDb%F0%9F%98%80%EF%BF%BD');
  });
});

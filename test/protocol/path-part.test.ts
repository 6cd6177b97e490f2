import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { isWellFormed, pathPart } from '../../src/core/protocol/path-part.js';

describe('T1 a text from outside in an address', () => {
  it('law: is encoded whatever it holds, and read back where UTF-8 can carry it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (text, isCut) => {
        const whole = `${text}${isCut ? '\ud800' : 'x'}`;
        const read = decodeURIComponent(pathPart(whole));
        expect(read).toBe(isCut ? `${text}\ufffd` : whole);
        expect(isWellFormed(whole)).toBe(!isCut);
      }),
    );
  });

  it.each(['.', '..'])(
    'leads nowhere else where it is %s, which any encoding of its points would',
    (text) => {
      const { pathname } = new URL(`http://h/jobs/${pathPart(text)}/events`);
      expect(pathname).toBe(`/jobs/${'%EF%BF%BD'.repeat(text.length)}/events`);
    },
  );

  it.each(['...', '.a', 'a.', '..a', ''])('keeps the points of %j', (text) => {
    expect(pathPart(text)).toBe(text);
  });

  it('has U+FFFD for either half of a pair, and pairs as they are', () => {
    expect(pathPart('a\udc00b\ud83d\ude00\ud83d')).toBe('a%EF%BF%BDb%F0%9F%98%80%EF%BF%BD');
  });
});

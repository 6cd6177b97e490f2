import { describe, expect, it } from 'vitest';
import { digits, isStrongEtag, wholeExtent } from '../../src/http/file-extent.js';

describe('wholeExtent', () => {
  it('has what the headers tell', () => {
    const headers = { 'content-length': '20', etag: '"a"' };
    expect(wholeExtent({ headers })).toStrictEqual({ offset: 0, length: 20, size: 20, etag: '"a"' });
  });

  it('G7: has no length and no name that the headers do not tell', () => {
    expect(wholeExtent({ headers: {} })).toStrictEqual({ offset: 0 });
    const headers = { 'content-length': 'x', etag: 'W/"a"' };
    expect(wholeExtent({ headers })).toStrictEqual({ offset: 0 });
  });
});

describe('isStrongEtag', () => {
  it.each([
    ['"a"', true],
    ['""', true],
    ['"!#~"', true],
    [`"${'x'.repeat(1022)}"`, true],
    [`"${'x'.repeat(1023)}"`, false],
    [undefined, false],
    ['a', false],
    ['x"a"', false],
    ['"a"x', false],
    ['W/"a"', false],
    ['"a b"', false],
    ['"a"b"', false],
    ['"\u007f"', false],
  ])('G7: of %j is %s', (etag, expected) => {
    expect(isStrongEtag(etag)).toBe(expected);
  });
});

describe('digits', () => {
  it.each([
    ['0', 0],
    ['20', 20],
    [String(Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER],
    [String(2 ** 53), undefined],
    [undefined, undefined],
    ['', undefined],
    ['-1', undefined],
    ['1e3', undefined],
    ['x1', undefined],
    ['0x10', undefined],
    ['1.5', undefined],
  ])('of %j are %s', (text, expected) => {
    expect(digits(text)).toBe(expected);
  });
});

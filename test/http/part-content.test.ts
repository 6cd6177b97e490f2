import { canResume, partExtent } from '../../src/core/http/part-content.js';
import { describe, expect, it } from 'vitest';

const etag = '"a"';

describe('canResume', () => {
  it.each([
    ['some bytes and a strong name', 5, etag, true],
    ['no bytes', 0, etag, false],
    ['part of a byte', 0.5, etag, false],
    ['a negative number of bytes', -5, etag, false],
    ['more bytes than there can be', 2 ** 53, etag, false],
    ['a weak name', 5, 'W/"a"', false],
    ['a name without quotes', 5, 'a', false],
  ])('G7: of %s', (_, offset, name, expected) => {
    expect(canResume({ offset, etag: name })).toBe(expected);
  });
});

describe('partExtent', () => {
  const resume = { offset: 5, etag };
  const of = (range: string | undefined, name: string | undefined = etag) =>
    partExtent(
      {
        headers: {
          ...(range !== undefined && { 'content-range': range }),
          ...(name !== '' && { etag: name }),
        },
      },
      resume,
    );

  it('G7: reads the rest of the file that was asked for', () => {
    expect(of('bytes 5-19/20')).toEqual({ offset: 5, length: 15, size: 20, etag });
  });

  it.each([
    ['no range', undefined],
    ['another unit', 'items 5-19/20'],
    ['a text before it', 'x bytes 5-19/20'],
    ['a text after it', 'bytes 5-19/20 x'],
    ['an unknown size', 'bytes 5-19/*'],
    ['another beginning', 'bytes 4-19/20'],
    ['an end before the end of the file', 'bytes 5-18/20'],
    ['an end behind the end of the file', 'bytes 5-20/20'],
    ['a size beyond all numbers', `bytes 5-${2 ** 53 - 1}/${2 ** 53}`],
    ['an end and a size beyond all numbers', `bytes 5-${'9'.repeat(400)}/${'9'.repeat(400)}`],
  ])('G7: refuses %s', (_, range) => {
    expect(of(range)).toBeUndefined();
  });

  it('G7: refuses another file, and one without a name', () => {
    expect([of('bytes 5-19/20', '"b"'), of('bytes 5-19/20', '')]).toEqual([undefined, undefined]);
  });
});

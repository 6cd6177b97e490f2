import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { megapixelsOf } from '../../src/core/estimate/picture-size.js';

const letters = (text: string): readonly number[] => Array.from(text, (letter) => letter.charCodeAt(0));
const bytes = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? letters(part) : [...part])));
const big = (value: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => (value >>> (8 * (count - 1 - index))) & 255);
const little = (value: number, count: number): readonly number[] => big(value, count).toReversed();

const [width, height] = [1216, 832];
const segment = (marker: number, content: readonly number[]): readonly number[] => [
  ...[255, marker],
  ...big(content.length + 2, 2),
  ...content,
];
const webp = (chunk: string, ...content: readonly (readonly number[])[]): Uint8Array =>
  bytes('RIFF', little(1_000, 4), 'WEBP', chunk, little(10, 4), content.flat());

const pictures: Readonly<Record<string, Uint8Array>> = {
  PNG: bytes([137], 'PNG\r\n\x1a\n', big(13, 4), 'IHDR', big(width, 4), big(height, 4)),
  JPEG: bytes(
    [255, 0xd8],
    segment(0xe0, letters('JFIF')),
    segment(0xc4, [1, 2, 3, 4, 5, 6, 7, 8, 9]),
    segment(0xc2, [8, ...big(height, 2), ...big(width, 2), 3]),
  ),
  'WebP, lossy': webp('VP8 ', [0, 0, 0, 0x9d, 0x01, 0x2a], little(width, 2), little(height, 2)),
  'WebP, lossless': webp('VP8L', [0x2f], little((width - 1) | ((height - 1) << 14), 4)),
  'WebP, extended': webp('VP8X', [0, 0, 0, 0], little(width - 1, 3), little(height - 1, 3)),
};

describe('megapixelsOf', () => {
  it.each(Object.entries(pictures))('reads the size of a %s picture from its first bytes', (_, head) => {
    expect(megapixelsOf(head)).toBeCloseTo((width * height) / 1e6, 9);
  });

  it('law: of other bytes, or of a picture that is cut off, it says nothing', () => {
    for (const head of Object.values(pictures))
      for (let length = 0; length < 20; length += 1)
        expect(megapixelsOf(head.subarray(0, length))).toBeUndefined();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (head) => {
        expect(megapixelsOf(bytes('text', [...head]))).toBeUndefined();
      }),
    );
  });
});

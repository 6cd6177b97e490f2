import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import { decodePicture, encodeJpeg } from '../../../../src/emulator/engine/files/picture-files.js';
import { encodePng } from '../../../../src/emulator/engine/files/png.js';
import { meanDifference, plainPicture, testPicture } from '../run-node.js';

const rgbaPng = (width: number, height: number, data: readonly number[]): Uint8Array => {
  const png = new PNG({ width, height });
  png.data = Buffer.from(data);
  return PNG.sync.write(png);
};

describe('decodePicture', () => {
  it('reads a PNG without transparency as colours only', () => {
    const picture = testPicture(5, 4);
    expect(decodePicture(encodePng(picture))).toEqual(picture);
  });

  it('keeps an alpha channel that is used', () => {
    const decoded = decodePicture(rgbaPng(2, 1, [1, 2, 3, 255, 4, 5, 6, 0]))!;
    expect([...decoded.rgb]).toEqual([1, 2, 3, 4, 5, 6]);
    expect([...decoded.alpha!]).toEqual([255, 0]);
  });

  it('drops an alpha channel that is opaque everywhere', () => {
    expect(decodePicture(rgbaPng(1, 1, [9, 9, 9, 255]))).not.toHaveProperty('alpha');
  });

  it('reads bytes that lie within a larger buffer', () => {
    const file = encodePng(testPicture(3, 3));
    const larger = Buffer.concat([Buffer.alloc(5, 1), file]);
    expect(decodePicture(larger.subarray(5))).toEqual(testPicture(3, 3));
  });

  it.each([
    ['nothing', new Uint8Array(0)],
    ['text', Buffer.from('hello')],
    ['a cut PNG', encodePng(testPicture(16, 16)).subarray(0, 60)],
    ['a JPEG that ends after its first bytes', Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 16)],
  ])('answers undefined for %s', (_, bytes) => {
    expect(decodePicture(bytes)).toBeUndefined();
  });
});

describe('encodeJpeg', () => {
  it('writes a JPEG of the same size and nearly the same colour', () => {
    const picture = plainPicture(24, 17, [200, 90, 30]);
    const bytes = encodeJpeg(picture);
    expect([...bytes.subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
    const decoded = decodePicture(bytes)!;
    expect([decoded.width, decoded.height]).toEqual([24, 17]);
    expect(meanDifference(decoded, picture)).toBeLessThan(3);
  });

  it('is smaller at lower quality', () => {
    const picture = testPicture(64, 64);
    expect(encodeJpeg(picture, { quality: 20 }).length).toBeLessThan(
      encodeJpeg(picture, { quality: 95 }).length,
    );
  });

  it.each([
    [1, 1],
    [8, 8],
    [17, 3],
    [30, 41],
  ])('gives back %i × %i within a level at the best quality', (width, height) => {
    const picture = testPicture(width, height);
    const decoded = decodePicture(encodeJpeg(picture, { quality: 100 }))!;
    expect([decoded.width, decoded.height]).toEqual([width, height]);
    expect(meanDifference(decoded, picture)).toBeLessThan(1);
  });

  it('gives the same bytes for the same picture, also long after it was encoded first', () => {
    const bytes = encodeJpeg(testPicture(20, 20));
    expect(encodeJpeg(testPicture(20, 20))).toBe(bytes);
    for (let red = 0; red < 64; red += 1) encodeJpeg(plainPicture(1, 1, [red, 0, 0]));
    const again = encodeJpeg(testPicture(20, 20));
    expect(again).not.toBe(bytes);
    expect(again).toEqual(bytes);
  });
});

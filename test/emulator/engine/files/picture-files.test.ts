import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import { decodePicture } from '../../../../src/emulator/engine/files/picture-files.js';
import { encodePng } from '../../../../src/emulator/engine/files/png.js';
import { testPicture } from '../run-node.js';

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

import { describe, expect, it } from 'vitest';
import { decodePicture } from '../../../src/cli/picture/decode-picture.js';
import { flatJpeg, png } from '../helpers/pictures.js';

describe('decodePicture', () => {
  it('gives the pixels of a PNG exactly', () => {
    const picture = decodePicture(png(2, 1, (x) => (x === 0 ? [1, 2, 3] : [250, 251, 252])));
    expect(picture).toEqual({ width: 2, height: 1, rgb: new Uint8Array([1, 2, 3, 250, 251, 252]) });
  });

  it('gives the pixels of a JPEG nearly', () => {
    const picture = decodePicture(flatJpeg(16, 8, [200, 100, 50]));
    expect([picture?.width, picture?.height, picture?.rgb.length]).toEqual([16, 8, 16 * 8 * 3]);
    expect(Math.abs((picture?.rgb[0] ?? 0) - 200)).toBeLessThan(6);
  });

  it('reads a view into a larger buffer', () => {
    const bytes = png(1, 1, () => [9, 8, 7]);
    const larger = new Uint8Array(bytes.length + 20);
    larger.set(bytes, 10);
    expect(decodePicture(larger.subarray(10, 10 + bytes.length))?.rgb).toEqual(new Uint8Array([9, 8, 7]));
  });

  it.each([
    ['nothing', new Uint8Array()],
    ['text', new TextEncoder().encode('GIF89a')],
    ['a cut JPEG', flatJpeg(16, 16, [1, 2, 3]).slice(0, 40)],
    ['a cut PNG', png(4, 4, () => [1, 2, 3]).slice(0, 30)],
    ['only the magic bytes of a PNG', png(1, 1, () => [0, 0, 0]).slice(0, 8)],
  ])('gives nothing for %s', (_, bytes) => {
    expect(decodePicture(bytes)).toBeUndefined();
  });

  it('gives nothing for a PNG that claims more pixels than anybody wants', () => {
    const huge = Uint8Array.from(png(1, 1, () => [0, 0, 0]));
    new DataView(huge.buffer).setUint32(16, 100_000);
    new DataView(huge.buffer).setUint32(20, 100_000);
    expect(decodePicture(huge)).toBeUndefined();
  });
});

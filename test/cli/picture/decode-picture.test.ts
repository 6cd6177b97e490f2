import { decodePicture, shrink } from '../../../src/cli/picture/decode-picture.js';
import { describe, expect, it } from 'vitest';
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

const grey = (width: number, height: number, values: readonly number[]) => ({
  width,
  height,
  rgb: Uint8Array.from(values.flatMap((value) => [value, value, value])),
});

describe('shrink', () => {
  it('makes each pixel the mean of its area', () => {
    expect(shrink(grey(4, 2, [0, 10, 100, 100, 20, 30, 100, 100]), 2, 2)).toEqual(grey(2, 1, [15, 100]));
  });

  it('keeps the shape, whichever side is too long', () => {
    const wide = shrink(grey(8, 2, Array<number>(16).fill(5)), 4, 4);
    const tall = shrink(grey(2, 8, Array<number>(16).fill(5)), 4, 4);
    expect([wide.width, wide.height, tall.width, tall.height]).toEqual([4, 1, 1, 4]);
  });

  it('never enlarges, and never goes below one pixel', () => {
    expect(shrink(grey(1, 1, [7]), 10, 10)).toEqual(grey(1, 1, [7]));
    expect(shrink(grey(100, 1, Array<number>(100).fill(7)), 5, 5)).toEqual(grey(5, 1, [7, 7, 7, 7, 7]));
  });
});

import { Buffer } from 'node:buffer';
import { deflateSync } from 'node:zlib';
import { decodePicture, pictureFormat, shrink } from '../../../src/cli/picture/decode-picture.js';
import { describe, expect, it } from 'vitest';
import { pngChunk } from '../../workflow/metadata/write-pictures.js';
import { flatJpeg, png } from '../helpers/pictures.js';

/** A black PNG of one bit a pixel, which is small however many pixels it has. */
const blackPng = (width: number, height: number): Uint8Array => {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const rows = Buffer.alloc(height * (1 + Math.ceil(width / 8)));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk(['IHDR', header]),
    pngChunk(['IDAT', deflateSync(rows)]),
    pngChunk(['IEND', Buffer.alloc(0)]),
  ]);
};

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

  it('gives nothing for a picture of more than 16 megapixels, whole as it is', () => {
    expect(decodePicture(blackPng(40, 20))).toEqual({ width: 40, height: 20, rgb: new Uint8Array(2_400) });
    expect(decodePicture(blackPng(4_001, 4_000))).toBeUndefined();
    expect(decodePicture(blackPng(16_000_001, 1))).toBeUndefined();
    const jpeg = Uint8Array.from(flatJpeg(16, 16, [1, 2, 3]));
    const frame = jpeg.findIndex((byte, at) => byte === 0xff && jpeg[at + 1] === 0xc0);
    new DataView(jpeg.buffer).setUint16(frame + 5, 4_200);
    new DataView(jpeg.buffer).setUint16(frame + 7, 4_200);
    expect(decodePicture(jpeg)).toBeUndefined();
  });

  it('leaves the picture as it was', () => {
    const bytes = png(2, 2, () => [1, 2, 3]);
    const before = Uint8Array.from(bytes);
    decodePicture(bytes);
    expect(Uint8Array.from(bytes)).toEqual(before);
  });
});

describe('pictureFormat', () => {
  it('is told by the first bytes, all of them', () => {
    const [onePng, jpeg] = [png(1, 1, () => [0, 0, 0]), flatJpeg(8, 8, [0, 0, 0])];
    expect([pictureFormat(onePng), pictureFormat(jpeg)]).toEqual(['png', 'jpeg']);
    expect([pictureFormat(onePng.slice(0, 8)), pictureFormat(jpeg.slice(0, 3))]).toEqual(['png', 'jpeg']);
    for (const [whole, length] of [
      [onePng, 8],
      [jpeg, 3],
    ] as const) {
      for (let at = 0; at < length; at += 1) {
        const other = Uint8Array.from(whole);
        other[at] = (other[at] ?? 0) ^ 1;
        expect([at, pictureFormat(other), pictureFormat(whole.slice(0, at))]).toEqual([
          at,
          undefined,
          undefined,
        ]);
      }
    }
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

  it('means each colour by itself, rounded, over areas of unequal size', () => {
    const picture = (width: number, height: number, pixels: readonly (readonly number[])[]) => ({
      width,
      height,
      rgb: Uint8Array.from(pixels.flat()),
    });
    const three = [
      [0, 100, 7],
      [10, 200, 7],
      [21, 50, 8],
    ];
    const two = [
      [0, 100, 7],
      [16, 125, 8],
    ];
    expect(shrink(picture(3, 1, three), 2, 9)).toEqual(picture(2, 1, two));
    expect(shrink(picture(1, 3, three), 9, 2)).toEqual(picture(1, 2, two));
  });

  it('keeps the rows and columns of what fits', () => {
    const picture = grey(2, 3, [1, 2, 3, 4, 5, 6]);
    expect(shrink(picture, 2, 3)).toEqual(picture);
  });
});

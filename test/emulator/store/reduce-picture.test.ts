import { describe, expect, it } from 'vitest';
import { decodeVp8l } from '../engine/files/decode-vp8l.js';
import { encodeWebp } from '../../../src/emulator/engine/files/webp.js';
import jpeg from 'jpeg-js';
import { pictureSize } from '../../../src/emulator/store/reduce-picture.js';
import { PNG } from 'pngjs';

describe('pictureSize', () => {
  it('reads PNG and JPEG headers', () => {
    const png = PNG.sync.write(new PNG({ width: 7, height: 3 }));
    const { data } = jpeg.encode({ width: 300, height: 9, data: Buffer.alloc(300 * 9 * 4) }, 50);
    expect(pictureSize(png)).toEqual({ width: 7, height: 3 });
    expect(pictureSize(data)).toEqual({ width: 300, height: 9 });
  });

  it('knows nothing of other bytes, of cut headers and of none', () => {
    const { data } = jpeg.encode({ width: 8, height: 8, data: Buffer.alloc(256) }, 50);
    for (const bytes of [Buffer.from('RIFF'), data.subarray(0, 20), data.subarray(0, 3), Buffer.alloc(0)]) {
      expect(pictureSize(bytes)).toBeUndefined();
    }
  });
});

const decode = (file: Uint8Array) => {
  const buffer = Buffer.from(file);
  expect([buffer.toString('latin1', 0, 4), buffer.toString('latin1', 8, 16)]).toEqual(['RIFF', 'WEBPVP8L']);
  expect(buffer.readUInt32LE(4)).toBe(buffer.length - 8);
  expect(buffer.length % 2).toBe(0);
  return decodeVp8l(buffer.subarray(20, 20 + buffer.readUInt32LE(16)));
};

describe('encodeWebp', () => {
  it.each([
    [1, 1, 255],
    [3, 5, 255],
    [16, 2, 100],
  ])('keeps every pixel of %i × %i with an alpha of %i', (width, height, alpha) => {
    const data = Uint8Array.from({ length: width * height * 4 }, (_, at) =>
      at % 4 === 3 ? alpha : (at * 37) & 255,
    );
    expect(decode(encodeWebp({ width, height, data }))).toEqual({
      width,
      height,
      hasAlpha: alpha !== 255,
      data: [...data],
    });
  });
});

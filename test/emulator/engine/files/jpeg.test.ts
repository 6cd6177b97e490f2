import { describe, expect, it } from 'vitest';
import { decodePicture } from '../../../../src/emulator/engine/files/decode-picture.js';
import { encodeJpeg } from '../../../../src/emulator/engine/files/jpeg.js';
import { meanDifference, plainPicture, testPicture } from '../run-node.js';

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

  it('gives the same bytes for the same picture', () => {
    expect(encodeJpeg(testPicture(20, 20))).toEqual(encodeJpeg(testPicture(20, 20)));
  });
});

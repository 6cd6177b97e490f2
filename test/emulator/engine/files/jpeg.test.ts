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
});

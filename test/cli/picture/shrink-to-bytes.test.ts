import { describe, expect, it } from 'vitest';
import { decodePicture } from '../../../src/cli/picture/decode-picture.js';
import { shrinkToBytes } from '../../../src/cli/picture/shrink-to-bytes.js';
import { png } from '../helpers/pictures.js';

describe('shrinkToBytes', () => {
  const halves = png(40, 20, (x) => (x < 20 ? [200, 40, 40] : [40, 40, 200]));

  it('makes a JPEG of the same size and colors where that fits', () => {
    const small = shrinkToBytes(halves, 100_000);
    expect(small?.mediaType).toBe('image/jpeg');
    const { width, height, rgb = [] } = decodePicture(small?.bytes ?? new Uint8Array()) ?? {};
    expect([width, height]).toEqual([40, 20]);
    for (const [pixel, color] of [
      [0, [200, 40, 40]],
      [39, [40, 40, 200]],
      [799, [40, 40, 200]],
    ] as const) {
      color.forEach((part, at) => {
        expect(Math.abs((rgb[pixel * 3 + at] ?? 0) - part)).toBeLessThan(25);
      });
    }
  });

  it('begins with a side of 1,536 pixels', () => {
    const wide = shrinkToBytes(
      png(1600, 1, () => [9, 9, 9]),
      1_000_000,
    );
    expect(decodePicture(wide?.bytes ?? new Uint8Array())).toMatchObject({ width: 1536, height: 1 });
  });

  it('makes it a fifth smaller until it fits', () => {
    const whole = shrinkToBytes(halves, 100_000)?.bytes.length ?? 0;
    expect(shrinkToBytes(halves, whole)?.bytes).toHaveLength(whole);
    const less = shrinkToBytes(halves, whole - 1)?.bytes ?? new Uint8Array();
    expect(decodePicture(less)).toMatchObject({ width: 32, height: 16 });
  });

  it('takes a picture of one pixel, and gives up where that is too large', () => {
    const dot = png(1, 1, () => [9, 9, 9]);
    const length = shrinkToBytes(dot, 100_000)?.bytes.length ?? 0;
    expect(length).toBeGreaterThan(0);
    expect(shrinkToBytes(dot, length - 1)).toBeUndefined();
  });

  it('makes nothing of what is no picture', () => {
    expect(shrinkToBytes(new TextEncoder().encode('no picture'), 100_000)).toBeUndefined();
  });
});

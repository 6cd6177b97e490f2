import { cut, resize } from '../../../src/emulator/engine/resize.js';
import { describe, expect, it } from 'vitest';
import { meanDifference, plainPicture, testPicture } from './run-node.js';

const redOf = ({ rgb }: { readonly rgb: Uint8Array }): number[] =>
  [...rgb].filter((_, index) => index % 3 === 0);

const row = (...reds: readonly number[]) => ({
  width: reds.length,
  height: 1,
  rgb: Uint8Array.from(reds.flatMap((red) => [red, 0, 0])),
});

describe('resize', () => {
  it.each(['nearest-exact', 'bilinear', 'area', 'bicubic', 'lanczos'])(
    'keeps an even colour with %s',
    (method) => {
      const resized = resize(plainPicture(10, 7, [10, 100, 200]), { width: 23, height: 4, method });
      expect(resized).toEqual(plainPicture(23, 4, [10, 100, 200]));
    },
  );

  it('repeats pixels with nearest-exact', () => {
    expect(redOf(resize(row(0, 200), { width: 4, height: 1, method: 'nearest-exact' }))).toEqual([
      0, 0, 200, 200,
    ]);
  });

  it('mixes pixels with bilinear', () => {
    expect(redOf(resize(row(0, 200), { width: 4, height: 1 }))).toEqual([0, 50, 150, 200]);
  });

  it('averages what a pixel covers with area', () => {
    expect(redOf(resize(row(0, 100, 20, 40), { width: 2, height: 1, method: 'area' }))).toEqual([50, 30]);
  });

  it('leaves a picture of the same size nearly as it is', () => {
    const picture = testPicture(12, 9);
    expect(meanDifference(resize(picture, { width: 12, height: 9 }), picture)).toBe(0);
  });

  it('cuts the centre to the new shape when asked to', () => {
    const resized = resize(row(1, 2, 3, 4), { width: 1, height: 1, method: 'nearest-exact', crop: 'center' });
    expect(redOf(resized)).toEqual([2]);
    const squeezed = resize(row(0, 200, 200, 0), { width: 2, height: 1, method: 'area', crop: 'disabled' });
    expect(redOf(squeezed)).toEqual([100, 100]);
  });
});

describe('cut', () => {
  it('takes a rectangle', () => {
    const picture = testPicture(5, 4);
    const part = cut(picture, { left: 2, top: 1, width: 2, height: 2 });
    expect([...part.rgb.subarray(0, 3)]).toEqual([...picture.rgb.subarray((5 + 2) * 3, (5 + 3) * 3)]);
    expect(part.rgb).toHaveLength(12);
  });
});

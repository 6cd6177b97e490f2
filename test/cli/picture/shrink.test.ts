import { describe, expect, it } from 'vitest';
import { shrink } from '../../../src/cli/picture/shrink.js';

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

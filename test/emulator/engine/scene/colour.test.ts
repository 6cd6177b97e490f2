import { describe, expect, it } from 'vitest';
import { hex, hsl, mix } from '../../../../src/emulator/engine/scene/colour.js';

describe('colours', () => {
  it('reads hexadecimal', () => {
    expect(hex('#ff8001')).toEqual([255, 128, 1]);
  });

  it('mixes by share', () => {
    expect([0, 0.5, 1].map((share) => mix([0, 100, 200], [100, 0, 200], share))).toEqual([
      [0, 100, 200],
      [50, 50, 200],
      [100, 0, 200],
    ]);
  });

  it.each([
    [0, [255, 0, 0]],
    [1 / 3, [0, 255, 0]],
    [2 / 3, [0, 0, 255]],
    [1, [255, 0, 0]],
    [-1 / 3, [0, 0, 255]],
  ])('turns hue %f into its pure colour', (hue, colour) => {
    expect(hsl(hue, 1, 0.5).map(Math.round)).toEqual(colour);
  });

  it('has grey without saturation', () => {
    expect(hsl(0.3, 0, 0.4)).toEqual([102, 102, 102]);
  });
});

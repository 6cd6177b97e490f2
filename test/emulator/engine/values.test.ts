import {
  decodeLatent,
  emptyLatent,
  encodeLatent,
  gridOf,
  pictureOf,
} from '../../../src/emulator/engine/values.js';
import { describe, expect, it } from 'vitest';
import { plainPicture, testPicture } from './run-node.js';

describe('latents', () => {
  it.each([
    [64, 48, 64, 48],
    [512, 512, 512, 512],
    [1024, 1024, 512, 512],
    [2048, 16, 512, 4],
    [768, 1024, 384, 512],
  ])('keep %i × %i on a grid of %i × %i', (width, height, gridWidth, gridHeight) => {
    expect(gridOf(width, height)).toEqual({ width: gridWidth, height: gridHeight });
  });

  it('begin empty, as many as asked for', () => {
    const { samples, grid } = emptyLatent(1024, 512, 3);
    expect(samples).toHaveLength(3);
    expect(samples[0]).toHaveLength(grid.width * grid.height * 3);
    expect(new Set(samples[0])).toEqual(new Set([127.5]));
  });

  it('give back a small picture as it was', () => {
    const picture = testPicture(30, 20);
    const latent = { ...emptyLatent(30, 20, 1), samples: [encodeLatent(picture)] };
    expect(decodeLatent(latent, latent.samples[0]!)).toEqual(picture);
  });

  it('give back a large picture at its size', () => {
    const picture = plainPicture(600, 40, [9, 99, 199]);
    const latent = { ...emptyLatent(600, 40, 1), samples: [encodeLatent(picture)] };
    expect(latent.samples[0]!.length).toBe(512 * 34 * 3);
    expect(decodeLatent(latent, latent.samples[0]!)).toEqual(picture);
  });

  it('round and limit samples to colours', () => {
    expect([...pictureOf(Float32Array.of(-3, 1.6, 300), { width: 1, height: 1 }).rgb]).toEqual([0, 2, 255]);
  });
});

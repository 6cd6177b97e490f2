import { describe, expect, it } from 'vitest';
import type { Picture } from '../../../../src/emulator/engine/node-class.js';
import { plainPicture, runNode, testPicture } from '../run-node.js';

const pictures = async (
  classType: string,
  inputs: Readonly<Record<string, unknown>>,
): Promise<readonly Picture[]> => (await runNode(classType, inputs)).values[0] as readonly Picture[];

const sizes = (batch: readonly Picture[]): readonly (readonly [number, number])[] =>
  batch.map(({ width, height }) => [width, height]);

describe('ImageScale', () => {
  const scale = (width: number, height: number, crop = 'disabled') =>
    pictures('ImageScale', { image: [testPicture(20, 10)], upscale_method: 'bilinear', width, height, crop });

  it.each([
    [8, 8, [8, 8]],
    [10, 0, [10, 5]],
    [0, 20, [40, 20]],
    [0, 0, [20, 10]],
  ])('brings 20 × 10 to %i × %i', async (width, height, size) => {
    expect(sizes(await scale(width, height))).toEqual([size]);
  });

  it('cuts before it scales only when asked to', async () => {
    expect(await scale(5, 5, 'center')).not.toEqual(await scale(5, 5));
  });
});

describe('ImageInvert', () => {
  it('turns colours into their opposites, and back', async () => {
    const [once] = await pictures('ImageInvert', { image: [plainPicture(1, 1, [0, 100, 255])] });
    expect([...once!.rgb]).toEqual([255, 155, 0]);
    const original = [testPicture(5, 5), testPicture(2, 2)];
    expect(
      await pictures('ImageInvert', { image: await pictures('ImageInvert', { image: original }) }),
    ).toEqual(original);
  });
});

describe('ImageFlip', () => {
  const picture: Picture = {
    width: 2,
    height: 2,
    rgb: Uint8Array.from([1, 2, 3, 4].flatMap((value) => [value, 0, 0])),
  };
  const reds = ([flipped]: readonly Picture[]): number[] =>
    [...flipped!.rgb].filter((_, index) => index % 3 === 0);

  it('mirrors left and right, or up and down', async () => {
    const flip = (flip_method: string) => pictures('ImageFlip', { image: [picture], flip_method });
    expect(reds(await flip('y-axis: horizontally'))).toEqual([2, 1, 4, 3]);
    expect(reds(await flip('x-axis: vertically'))).toEqual([3, 4, 1, 2]);
  });
});

describe('BatchImages', () => {
  const [a, b, c] = [1, 2, 3].map((shift) => testPicture(2, 2, shift)) as [Picture, Picture, Picture];

  it('joins pictures in the order of their numbers', async () => {
    const inputs = { 'images.image10': [c], 'images.image2': [b], 'images.image0': [a, a] };
    expect(await pictures('BatchImages', inputs)).toEqual([a, a, b, c]);
  });

  it('fails without a picture', async () => {
    await expect(runNode('BatchImages', {})).rejects.toMatchObject({ exceptionType: 'ValueError' });
  });
});

describe('ResizeImage', () => {
  const image = [testPicture(20, 10)];

  it.each<[Readonly<Record<string, unknown>>, readonly [number, number]]>([
    [{ mode: 'factor', 'mode.factor': 0.5 }, [10, 5]],
    [{ mode: 'longest edge', 'mode.longest_edge': 40 }, [40, 20]],
    [{ mode: 'factor' }, [40, 20]],
  ])('resizes by %j', async (mode, size) => {
    expect(sizes(await pictures('ResizeImage', { image, ...mode }))).toEqual([size]);
  });
});

describe('PanFrames', () => {
  it('moves a window from the left to the right edge', async () => {
    const picture = testPicture(8, 2);
    const frames = await pictures('PanFrames', { image: [picture], frames: 3 });
    expect(sizes(frames)).toEqual(new Array(3).fill([6, 2]));
    expect(frames[0]!.rgb.subarray(0, 18)).toEqual(picture.rgb.subarray(0, 18));
    expect(frames[2]!.rgb.subarray(0, 18)).toEqual(picture.rgb.subarray(6, 24));
  });

  it('makes a single frame of the left part', async () => {
    expect(sizes(await pictures('PanFrames', { image: [testPicture(8, 2)], frames: 1 }))).toEqual([[6, 2]]);
  });
});

describe('VAEEncode and VAEDecode', () => {
  const vae = { kind: 'VAE', checkpoint: 'c' };

  it('give back what went in', async () => {
    const originals = [testPicture(20, 12), testPicture(20, 12, 9)];
    const [samples] = (await runNode('VAEEncode', { pixels: originals, vae })).values;
    expect(await pictures('VAEDecode', { samples, vae })).toEqual(originals);
  });

  it('bring a batch to the size of its first picture', async () => {
    const [samples] = (await runNode('VAEEncode', { pixels: [testPicture(20, 12), testPicture(6, 6)], vae }))
      .values;
    expect(sizes(await pictures('VAEDecode', { samples, vae }))).toEqual([
      [20, 12],
      [20, 12],
    ]);
  });

  it('need a decoder', async () => {
    await expect(runNode('VAEDecode', { samples: {}, vae: { kind: 'CLIP' } })).rejects.toThrow(
      "input 'vae' is not a VAE",
    );
  });
});

import { describe, expect, it } from 'vitest';
import type { Audio, Latent, Mask } from '../../../../src/emulator/engine/values.js';
import { nodeClasses } from '../../../../src/emulator/engine/node-classes.js';
import type { Picture } from '../../../../src/emulator/engine/node-class.js';
import { plainPicture, runNode } from '../run-node.js';

const part = (kind: string) => ({ kind, checkpoint: 'c' });

const valuesOf = async (name: string, inputs: Record<string, unknown>): Promise<readonly unknown[]> =>
  (await runNode(name, inputs)).values;

const latentFrom = async (name: string, inputs: Record<string, unknown>): Promise<Latent> =>
  (await valuesOf(name, inputs))[0] as Latent;

const encoded = (...pictures: readonly Picture[]) =>
  latentFrom('VAEEncode', { pixels: pictures, vae: part('VAE') });

const decoded = async (samples: unknown): Promise<readonly Picture[]> =>
  (await valuesOf('VAEDecode', { samples, vae: part('VAE') }))[0] as readonly Picture[];

const plain = (value: number, width = 32, height = 16): Picture =>
  plainPicture(width, height, [value, value, value]);

/** Greys that say in which block of eight pixels they are: 10 times the column, and 1 for the row. */
const blocks = (columns: number, rows: number): Picture => ({
  ...{ width: columns * 8, height: rows * 8 },
  rgb: Uint8Array.from({ length: columns * rows * 64 * 3 }, (_, at) => {
    const pixel = Math.floor(at / 3);
    return Math.floor((pixel % (columns * 8)) / 8) * 10 + Math.floor(pixel / (columns * 8) / 8);
  }),
});

/** One value of each block, row by row. */
const blocksOf = ({ width, height, rgb }: Picture): readonly (readonly number[])[] =>
  Array.from({ length: height / 8 }, (_, y) =>
    Array.from({ length: width / 8 }, (_x, x) => rgb[(y * 8 * width + x * 8) * 3]!),
  );

const mask = (width: number, byteAt: (x: number) => number, height = 1): Mask => ({
  ...{ kind: 'MASK', width, height },
  bytes: Uint8Array.from({ length: width * height }, (_, at) => byteAt(at % width)),
});

const blocksAfter = async (name: string, inputs: Record<string, unknown>) =>
  (await decoded(await latentFrom(name, inputs))).map(blocksOf);

describe('M11: definitions of latents and lists', () => {
  it.each([
    ['LatentCut', 'index', ['INT', { default: 0, min: -16_384, max: 16_384, step: 1 }], null],
    [
      'LatentCompositeMasked',
      'x',
      ['INT', { default: 0, min: 0, max: 16_384, step: 8 }],
      'LatentCompositeMasked',
    ],
    ['SetLatentNoiseMask', 'mask', ['MASK'], 'Set Latent Noise Mask'],
    ['RebatchImages', 'batch_size', ['INT', { default: 1, min: 1, max: 4096 }], 'Rebatch Images'],
    ['TrimVideoLatent', 'trim_amount', ['INT', { default: 0, min: 0, max: 99_999 }], null],
  ])('of %s have the bounds of %s', (name, input, spec, title) => {
    const definition = nodeClasses.get(name)!.definition({ inputs: [] });
    expect(definition.input.required?.[input]).toEqual(spec);
    expect(definition.display_name).toBe(title);
  });

  it.each(['RebatchImages', 'RebatchLatents'])('%s takes and makes lists', (name) => {
    expect(nodeClasses.get(name)!.definition({ inputs: [] })).toMatchObject({
      ...{ is_input_list: true, output_is_list: [true] },
    });
  });
});

describe('M11: a latent on another one', () => {
  it('lies where it is put, in whole blocks, a shorter batch beginning again', async () => {
    const destination = await encoded(plain(1), plain(2), plain(3));
    const source = await encoded(plain(100, 8, 8), plain(200, 8, 8));
    const at = { destination, source, x: 15, y: 8, resize_source: false };
    expect(await blocksAfter('LatentCompositeMasked', at)).toEqual([
      [
        [1, 1, 1, 1],
        [1, 100, 1, 1],
      ],
      [
        [2, 2, 2, 2],
        [2, 200, 2, 2],
      ],
      [
        [3, 3, 3, 3],
        [3, 100, 3, 3],
      ],
    ]);
  });

  it('takes its size, and holds where a mask does', async () => {
    const inputs = {
      ...{ destination: await encoded(plain(0)), source: await encoded(plain(200, 8, 8)), x: 0, y: 0 },
      ...{ resize_source: true, mask: mask(32, (x) => (x < 16 ? 51 : 255), 16) },
    };
    const row = [40, 40, 200, 200];
    expect(await blocksAfter('LatentCompositeMasked', inputs)).toEqual([[row, row]]);
  });
});

describe('M11: latents side by side', () => {
  const pair = async () => ({
    samples1: await encoded(blocks(2, 1)),
    samples2: await encoded(plain(99, 16, 8)),
  });

  it.each([
    ['x', [[0, 10, 99, 99]]],
    ['-x', [[99, 99, 0, 10]]],
    [
      'y',
      [
        [0, 10],
        [99, 99],
      ],
    ],
    [
      '-y',
      [
        [99, 99],
        [0, 10],
      ],
    ],
  ])('along %s', async (dim, expected) => {
    expect(await blocksAfter('LatentConcat', { ...(await pair()), dim })).toEqual([expected]);
  });

  it('follow one another in time', async () => {
    const frames = await pair();
    expect(await blocksAfter('LatentConcat', { ...frames, dim: 't' })).toEqual([[[0, 10]], [[99, 99]]]);
    expect(await blocksAfter('LatentConcat', { ...frames, dim: '-t' })).toEqual([[[99, 99]], [[0, 10]]]);
  });

  it('fail where their edges differ', async () => {
    const samples = { samples1: await encoded(plain(1)), samples2: await encoded(plain(1, 8, 8)) };
    await expect(valuesOf('LatentConcat', { ...samples, dim: 'x' })).rejects.toThrow('Sizes of tensors');
  });
});

describe('M11: a piece of a latent', () => {
  it.each([
    [
      'x',
      1,
      2,
      [
        [10, 20],
        [11, 21],
      ],
    ],
    ['x', 9, 2, [[30], [31]]],
    [
      'x',
      -3,
      2,
      [
        [10, 20],
        [11, 21],
      ],
    ],
    [
      'x',
      -9,
      9,
      [
        [0, 10, 20, 30],
        [1, 11, 21, 31],
      ],
    ],
    ['y', 1, 9, [[1, 11, 21, 31]]],
    ['y', -1, 1, [[1, 11, 21, 31]]],
  ])('along %s, from %d, of %d', async (dim, index, amount, expected) => {
    const samples = await encoded(blocks(4, 2));
    expect(await blocksAfter('LatentCut', { samples, dim, index, amount })).toEqual([expected]);
  });

  it('of time is some of its frames', async () => {
    const samples = await encoded(...[1, 2, 3].map((value) => plain(value, 8, 8)));
    expect(await blocksAfter('LatentCut', { samples, dim: 't', index: -2, amount: 1 })).toEqual([[[2]]]);
    const film = await encoded(...Array.from({ length: 9 }, (_, at) => plain(at, 8, 8)));
    const rest = await blocksAfter('TrimVideoLatent', { samples: film, trim_amount: 1 });
    expect(rest.flat(2)).toEqual([4, 5, 6, 7, 8]);
  });
});

describe('M11: a sampler', () => {
  const sampled = async (latent: unknown): Promise<readonly Picture[]> =>
    decoded(
      await latentFrom('KSampler', {
        ...{ model: part('MODEL'), seed: 4, steps: 3, cfg: 8, sampler_name: 'euler', scheduler: 'normal' },
        positive: { kind: 'CONDITIONING', text: 'a forest' },
        negative: { kind: 'CONDITIONING', text: '' },
        ...{ latent_image: latent, denoise: 1 },
      }),
    );

  it('changes a latent only where its mask holds', async () => {
    const samples = await encoded(plain(77));
    const [whole] = await sampled(samples);
    const half = mask(32, (x) => (x < 16 ? 0 : 255), 16);
    const masked = await latentFrom('SetLatentNoiseMask', { samples, mask: half });
    const [changed] = await sampled(masked);
    for (const [at, value] of changed!.rgb.entries())
      expect(value).toBe(Math.floor(at / 3) % 32 < 16 ? 77 : whole!.rgb[at]);
    const turned = await latentFrom('LatentFlip', { samples: masked, flip_method: 'x-axis: vertically' });
    expect(turned.noiseMask).toEqual(half);
  });

  it('makes the pictures of a batch from one noise where it is fixed', async () => {
    const samples = await encoded(plain(77), plain(77));
    const behave = (seed_behavior: string) =>
      latentFrom('LatentBatchSeedBehavior', { samples, seed_behavior });
    const [first, second] = await sampled(await behave('fixed'));
    expect(second).toEqual(first);
    const [one, other] = await sampled(await behave('random'));
    expect(one).toEqual(first);
    expect(other).not.toEqual(one);
  });
});

describe('M11: batches that are mixed with shorter ones', () => {
  it('get these from their beginning again', async () => {
    const samples1 = await encoded(...[127, 127, 127].map((value) => plain(value, 8, 8)));
    const samples2 = await encoded(plain(137, 8, 8), plain(147, 8, 8));
    const blended = await blocksAfter('LatentBlend', { samples1, samples2, blend_factor: 0 });
    expect(blended.flat(2)).toEqual([137, 147, 137]);
    const under = {
      destination: [1, 2, 3].map((value) => plain(value, 8, 8)),
      x: 0,
      y: 0,
      resize_source: false,
    };
    const source = [plain(50, 8, 8), plain(60, 8, 8)];
    const [pictures] = await valuesOf('ImageCompositeMasked', { ...under, source });
    expect((pictures as Picture[]).map(({ rgb }) => rgb[0])).toEqual([50, 60, 50]);
  });
});

describe('M11: other latents, pictures and films', () => {
  it('have two stages of one size', async () => {
    const stages = await valuesOf('StableCascade_EmptyLatentImage', {
      ...{ width: 512, height: 256, compression: 42, batch_size: 2 },
    });
    for (const stage of stages as Latent[])
      expect([stage.width, stage.height, stage.samples.length]).toEqual([512, 256, 2]);
  });

  it.each([
    [64, 64, 1024, 1024],
    [120, 100, 1104, 944],
    [30, 100, 672, 1568],
    [160, 90, 1392, 752],
  ])('of %d by %d are scaled to %d by %d', async (width, height, wide, high) => {
    const [pictures] = await valuesOf('FluxKontextImageScale', { image: [plain(5, width, height)] });
    const [{ width: gotWide, height: gotHigh }] = pictures as [Picture];
    expect([gotWide, gotHigh]).toEqual([wide, high]);
  });

  it('are taken apart into pictures, sound and speed', async () => {
    const images = [plain(1), plain(2)];
    const audio: Audio = { kind: 'AUDIO', sampleRate: 4, channels: [Float32Array.of(0.5)] };
    const [video] = await valuesOf('CreateVideo', { images, fps: 12, audio });
    expect(await valuesOf('GetVideoComponents', { video })).toEqual([images, audio, 12]);
    const [silent] = await valuesOf('CreateVideo', { images, fps: 12 });
    expect(await valuesOf('GetVideoComponents', { video: silent })).toEqual([images, null, 12]);
  });
});

describe('M11: operations on latents', () => {
  /** A row of places, by how far each of their channels is from zero. */
  const latentOfRow = (...places: readonly (readonly [number, number, number])[]): Latent => ({
    ...{ kind: 'LATENT', width: places.length, height: 1, grid: { width: places.length, height: 1 } },
    samples: [Float32Array.from(places.flat(), (value) => 127.5 + value)],
  });
  const rowAfter = async (operation: string, inputs: Record<string, unknown>, samples: Latent) => {
    const [made] = await valuesOf(operation, inputs);
    const { samples: after } = await latentFrom('LatentApplyOperation', { samples, operation: made });
    return [...after[0]!].map((value) => value - 127.5);
  };

  it('bring large values nearer to zero', async () => {
    // Lengths of 5 and 15: a mean of 10, and a deviation of the root of 50.
    const samples = latentOfRow([3, 4, 0], [0, -9, 12]);
    const top = (10 + 5 * Math.sqrt(50)) * 0.5;
    const [near, far] = [top / (top + 5), top / (top + 15)];
    const row = await rowAfter('LatentOperationTonemapReinhard', { multiplier: 0.5 }, samples);
    const expected = [3 * near, 4 * near, 0, 0, -9 * far, 12 * far];
    for (const [at, value] of row.entries()) expect(value).toBeCloseTo(expected[at]!, 3);
  });

  it('sharpen directions and keep lengths', async () => {
    const inputs = { sharpen_radius: 1, sigma: 1, alpha: 0.1 };
    const even = latentOfRow([3, 4, 0], [6, 8, 0], [3, 4, 0]);
    const [, , , middle, other] = await rowAfter('LatentOperationSharpen', inputs, even);
    expect([middle, other]).toEqual([expect.closeTo(6, 3), expect.closeTo(8, 3)]);
    // Of one row all rows are the same: a column of the bell weighs 1, e^-1/2 or its like, over their sum.
    const edge = Math.exp(-1 / 2) / (1 + 2 * Math.exp(-1 / 2));
    const [, , , x, y] = await rowAfter(
      'LatentOperationSharpen',
      inputs,
      latentOfRow([0, 5, 0], [2, 0, 0], [0, 5, 0]),
    );
    expect(x).toBeCloseTo(2 * (1 + 2 * edge), 3);
    expect(y).toBeCloseTo(-2 * 2 * edge, 3);
  });

  it('are applied to nothing else', async () => {
    const samples = latentOfRow([1, 2, 3]);
    await expect(valuesOf('LatentApplyOperation', { samples, operation: samples })).rejects.toThrow(
      'LATENT_OPERATION',
    );
  });
});

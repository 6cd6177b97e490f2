import { describe, expect, it } from 'vitest';
import { decodePicture } from '../../../../src/emulator/engine/files/picture-files.js';
import type { Mask } from '../../../../src/emulator/engine/values.js';
import { nodeClasses } from '../../../../src/emulator/engine/node-classes.js';
import type { Picture } from '../../../../src/emulator/engine/node-class.js';
import { plainPicture, recordingContext, runNode, testPicture } from '../run-node.js';

const valuesOf = async (name: string, inputs: Record<string, unknown>): Promise<readonly unknown[]> =>
  (await runNode(name, inputs)).values;

/** A picture of greys, by its rows. */
const grey = (...rows: readonly (readonly number[])[]): Picture => ({
  ...{ width: rows[0]!.length, height: rows.length },
  rgb: Uint8Array.from(rows.flat().flatMap((value) => [value, value, value])),
});

const mask = (...bytes: readonly number[]): Mask => ({
  ...{ kind: 'MASK', width: bytes.length, height: 1, bytes: Uint8Array.from(bytes) },
});

const reds = ({ width, height, rgb }: Picture): readonly (readonly number[])[] =>
  Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_x, x) => rgb[(y * width + x) * 3]!),
  );

const pictureOf = async (name: string, inputs: Record<string, unknown>): Promise<Picture> =>
  ((await valuesOf(name, inputs))[0] as readonly Picture[])[0]!;

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

describe('M11: definitions', () => {
  it.each([
    ['ImageQuantize', 'colors', ['INT', { default: 256, min: 1, max: 256, step: 1 }], null],
    ['ImageAddNoise', 'strength', ['FLOAT', { default: 0.5, min: 0, max: 1, step: 0.01 }], 'ImageAddNoise'],
    ['Morphology', 'kernel_size', ['INT', { default: 3, min: 3, max: 999, step: 1 }], 'ImageMorphology'],
    [
      'ImageScaleToMaxDimension',
      'upscale_method',
      [['area', 'lanczos', 'bilinear', 'nearest-exact', 'bilinear', 'bicubic']],
      'ImageScaleToMaxDimension',
    ],
    [
      'ImageScaleToTotalPixels',
      'upscale_method',
      ['COMBO', { multiselect: false, options: ['nearest-exact', 'bilinear', 'area', 'bicubic', 'lanczos'] }],
      null,
    ],
    ['ImageYUVToRGB', 'U', ['IMAGE', {}], null],
    ['MaskPreview', 'mask', ['MASK'], 'MaskPreview'],
    ['PorterDuffImageComposite', 'source_alpha', ['MASK', {}], 'Porter-Duff Image Composite'],
  ])('of %s have the bounds of %s', (name, input, spec, title) => {
    const definition = nodeClasses.get(name)!.definition({ inputs: [] });
    expect(definition.input.required?.[input]).toEqual(spec);
    expect(definition.display_name).toBe(title);
  });
});

describe('M11: morphology', () => {
  const hill = [grey([10, 10, 10, 10, 10], [10, 10, 90, 10, 10], [10, 10, 10, 10, 10])];
  const flat = (value: number) => Array.from({ length: 3 }, () => new Array<number>(5).fill(value));
  const around = Array.from({ length: 3 }, () => [10, 90, 90, 90, 10]);

  it.each([
    ['erode', flat(10)],
    ['dilate', around],
    ['open', flat(10)],
    ['close', Array.from({ length: 3 }, () => [10, 10, 90, 10, 10])],
    ['gradient', around.map((row) => row.map((value) => value - 10))],
    ['top_hat', reds(hill[0]!).map((row) => row.map((value) => value - 10))],
    ['bottom_hat', [[0, 0, 80, 0, 0], flat(0)[0]!, [0, 0, 80, 0, 0]]],
  ])('%s of a hill', async (operation, expected) => {
    expect(reds(await pictureOf('Morphology', { image: hill, operation, kernel_size: 3 }))).toEqual(expected);
  });

  it('takes the darkest and the lightest of a square, channel by channel, which reaches further back where it is even', async () => {
    const image = [testPicture(6, 5, 3)];
    const { rgb } = image[0]!;
    const expected = (pick: (...values: number[]) => number) =>
      Array.from(rgb, (_, at) => {
        const [x, y, channel] = [Math.floor(at / 3) % 6, Math.floor(at / 18), at % 3];
        const near: number[] = [];
        for (let row = y - 2; row <= y + 1; row += 1)
          for (let column = x - 2; column <= x + 1; column += 1)
            if (row >= 0 && row < 5 && column >= 0 && column < 6)
              near.push(rgb[(row * 6 + column) * 3 + channel]!);
        return pick(...near);
      });
    const inputs = { image, kernel_size: 4 };
    expect([...(await pictureOf('Morphology', { ...inputs, operation: 'erode' })).rgb]).toEqual(
      expected(Math.min),
    );
    expect([...(await pictureOf('Morphology', { ...inputs, operation: 'dilate' })).rgb]).toEqual(
      expected(Math.max),
    );
  });
});

describe('M11: brightness and differences of colour', () => {
  it('are those of JPEG: red is a bit bright, hardly blue and fully red', async () => {
    const image = [plainPicture(1, 1, [255, 0, 0])];
    const [y, u, v] = (await valuesOf('ImageRGBToYUV', { image })) as (readonly Picture[])[];
    // 0.299, 0.5 - 0.299 * 0.564, 0.5 + 0.701 * 0.713, each times 255.
    expect([y, u, v].map((batch) => [...batch![0]!.rgb])).toEqual([
      [76, 76, 76],
      [84, 84, 84],
      [255, 255, 255],
    ]);
  });

  it('make the picture again', async () => {
    const image = [testPicture(7, 5)];
    const [Y, U, V] = await valuesOf('ImageRGBToYUV', { image });
    const again = await pictureOf('ImageYUVToRGB', { Y, U, V });
    for (const [at, value] of again.rgb.entries())
      expect(Math.abs(value - image[0]!.rgb[at]!)).toBeLessThan(4);
    const greys = [grey([0, 100, 255])];
    const half = [grey([127, 127, 127])];
    const made = await pictureOf('ImageYUVToRGB', { Y: greys, U: half, V: half });
    for (const [at, value] of made.rgb.entries())
      expect(Math.abs(value - greys[0]!.rgb[at]!)).toBeLessThan(2);
  });
});

describe('M11: noise', () => {
  const noisy = (image: readonly Picture[], seed: unknown, strength: number) =>
    valuesOf('ImageAddNoise', { image, seed, strength }) as Promise<readonly (readonly Picture[])[]>;
  const middle = [plainPicture(64, 64, [128, 128, 128])];

  it('is the same for a seed, another for another, and none of strength 0', async () => {
    expect(await noisy(middle, 7, 0.2)).toEqual(await noisy(middle, 7, 0.2));
    expect(await noisy(middle, 7, 0.2)).not.toEqual(await noisy(middle, 2n ** 64n - 1n, 0.2));
    expect((await noisy(middle, 7, 0))[0]).toEqual(middle);
    const [batch] = await noisy([...middle, ...middle], 7, 0.2);
    expect(batch![0]).not.toEqual(batch![1]);
  });

  it('is normally distributed', async () => {
    const values = [...(await noisy(middle, 3, 0.1))[0]![0]!.rgb];
    const deviation = Math.sqrt(mean(values.map((value) => (value - 128) ** 2)));
    expect(mean(values)).toBeCloseTo(128, -0.5);
    expect(deviation).toBeGreaterThan(24.5);
    expect(deviation).toBeLessThan(26.5);
    const near = values.filter((value) => Math.abs(value - 128) < 25.5).length / values.length;
    expect(near).toBeGreaterThan(0.66);
    expect(near).toBeLessThan(0.71);
  });

  it('stays within the range of a colour', async () => {
    const white = [plainPicture(16, 16, [255, 255, 255])];
    const values = [...(await noisy(white, 1, 0.3))[0]![0]!.rgb];
    expect(values.filter((value) => value === 255).length / values.length).toBeGreaterThan(0.4);
    expect(values.some((value) => value < 200)).toBe(true);
  });
});

describe('M11: fewer colours', () => {
  const quantized = (image: Picture, colors: number, dither = 'none') =>
    pictureOf('ImageQuantize', { image: [image], colors, dither });
  const coloursOf = ({ rgb }: Picture) =>
    new Set(Array.from({ length: rgb.length / 3 }, (_, at) => [...rgb.subarray(at * 3, at * 3 + 3)].join()));
  const ramp = grey(...Array.from({ length: 32 }, () => Array.from({ length: 256 }, (_, x) => x)));

  it.each(['none', 'floyd-steinberg'])('leave a picture of few as it is (%s)', async (dither) => {
    const picture = testPicture(3, 3);
    expect(await quantized(picture, 9, dither)).toEqual(picture);
  });

  it('are the mean where there is one', async () => {
    const picture = { width: 2, height: 1, rgb: Uint8Array.of(0, 10, 200, 100, 20, 100) };
    expect([...(await quantized(picture, 1)).rgb]).toEqual([50, 15, 150, 50, 15, 150]);
  });

  it('are the means of groups that are far apart', async () => {
    const groups = grey([10, 12, 12, 14, 200, 204, 204, 208]);
    expect(reds(await quantized(groups, 2))).toEqual([[12, 12, 12, 12, 204, 204, 204, 204]]);
  });

  it('are at most as many as wanted, and near to the picture', async () => {
    const picture = testPicture(40, 30);
    const few = await quantized(picture, 8);
    expect(coloursOf(few).size).toBe(8);
    const sixteen = await quantized(ramp, 16);
    expect(coloursOf(sixteen).size).toBe(16);
    for (const [at, value] of sixteen.rgb.entries())
      expect(Math.abs(value - ramp.rgb[at]!)).toBeLessThanOrEqual(8);
  });

  it.each(['floyd-steinberg', 'bayer-2', 'bayer-4', 'bayer-8', 'bayer-16'])(
    'are mixed to what lies between them by %s',
    async (dither) => {
      const mixed = await quantized(ramp, 2, dither);
      expect(coloursOf(mixed)).toEqual(coloursOf(await quantized(ramp, 2)));
      // Windows between the two colours, 64 and 192. Squares add amounts of twice their distance, which halves the slope.
      for (const left of [80, 112, 144]) {
        const window = reds(mixed).flatMap((row) => row.slice(left, left + 32));
        const own = left + 15.5;
        const expected = dither === 'floyd-steinberg' ? own : 128 + (own - 128) / 2;
        expect(Math.abs(mean(window) - expected)).toBeLessThan(dither === 'bayer-2' ? 16 : 6);
      }
    },
  );

  it('are mixed in a square of two by two by its four ranks', async () => {
    // Two colours are 256 apart, and the ranks 0, 2, 3 and 1 add -96, 32, 96 and -32 to them.
    const picture = grey([60, 200, 60, 200], [60, 200, 60, 200]);
    expect(reds(await quantized(picture, 2, 'bayer-2'))).toEqual([
      [60, 200, 60, 200],
      [200, 200, 200, 200],
    ]);
  });
});

describe('M11: compositing of Porter and Duff', () => {
  // A source of 0.8 at an opacity of 0.6, on 0.4 at one of 0.4; the masks hold where they are transparent.
  const layers = {
    source: [grey([204])],
    source_alpha: mask(102),
    destination: [grey([102])],
    destination_alpha: mask(153),
  };
  const [s, d, sa, da] = [0.8 * 0.6, 0.4 * 0.4, 0.6, 0.4];

  it.each([
    ['ADD', s + d, 1],
    ['CLEAR', 0, 0],
    ['DARKEN', 0.6 * s + 0.4 * d + d, 0.76],
    ['DST', d, da],
    ['DST_ATOP', 0.6 * d + 0.6 * s, sa],
    ['DST_IN', d * 0.6, 0.24],
    ['DST_OUT', d * 0.4, 0.16],
    ['DST_OVER', d + 0.6 * s, 0.76],
    ['LIGHTEN', 0.6 * s + 0.4 * d + s, 0.76],
    ['MULTIPLY', s * d, 0.24],
    ['OVERLAY', 2 * s * d, 0.76],
    ['SCREEN', s + d - s * d, 0.76],
    ['SRC', s, sa],
    ['SRC_ATOP', 0.4 * s + 0.4 * d, da],
    ['SRC_IN', s * 0.4, 0.24],
    ['SRC_OUT', s * 0.6, 0.36],
    ['SRC_OVER', s + 0.4 * d, 0.76],
    ['XOR', 0.6 * s + 0.4 * d, 0.52],
  ])('%s', async (mode, colour, alpha) => {
    const [pictures, held] = await valuesOf('PorterDuffImageComposite', { ...layers, mode });
    const byte = Math.round(Math.min(1, alpha === 0 ? 0 : colour / alpha) * 255);
    expect(reds((pictures as Picture[])[0]!)).toEqual([[byte]]);
    expect([...(held as Mask).bytes]).toEqual([Math.round((1 - alpha) * 255)]);
  });

  it('OVERLAY of a light destination lightens', async () => {
    const opaque = { source_alpha: mask(0), destination_alpha: mask(0), mode: 'OVERLAY' };
    const inputs = { source: [grey([51])], destination: [grey([204])], ...opaque };
    // 1 - 2 * (1 - 0.2) * (1 - 0.8)
    expect(reds(await pictureOf('PorterDuffImageComposite', inputs))).toEqual([[Math.round(0.68 * 255)]]);
  });

  it('brings the source and the masks to the size of the destination', async () => {
    const picture = await pictureOf('PorterDuffImageComposite', {
      source: [grey([50, 50, 50, 50], [50, 50, 50, 50])],
      source_alpha: mask(0, 0),
      destination: [grey([9])],
      destination_alpha: mask(0, 0, 0),
      mode: 'SRC_OVER',
    });
    expect(reds(picture)).toEqual([[50]]);
  });
});

describe('M11: a mask', () => {
  it('is shown as a temporary picture of greys', async () => {
    const context = recordingContext();
    const { ui, values } = await runNode('MaskPreview', { mask: mask(0, 128, 255) }, context);
    expect(values).toEqual([]);
    expect(ui).toMatchObject({ images: [{ type: 'temp' }] });
    expect(decodePicture(context.saved[0]!.bytes)).toMatchObject(grey([0, 128, 255]));
  });
});

describe('M11: a model that moves', () => {
  it('is shown by its path, a camera and a background', async () => {
    const { ui } = await runNode('Preview3DAnimation', { model_file: 'walk.glb' });
    expect(ui!['result']![0]).toBe('walk.glb');
    expect(ui!['result']![2]).toMatch(/^temp\/.+\.png$/u);
  });
});

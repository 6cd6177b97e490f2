import { describe, expect, it } from 'vitest';
import type { Audio, Latent, Mask } from '../../../../src/emulator/engine/values.js';
import { decodePicture } from '../../../../src/emulator/engine/files/picture-files.js';
import type { Picture } from '../../../../src/emulator/engine/node-class.js';
import { recordingContext, runNode, testPicture } from '../run-node.js';

const valuesOf = async (name: string, inputs: Record<string, unknown>): Promise<readonly unknown[]> =>
  (await runNode(name, inputs)).values;

const valueOf = async (name: string, inputs: Record<string, unknown>): Promise<unknown> =>
  (await valuesOf(name, inputs))[0];

/** The red of each pixel, row by row. */
const reds = ({ width, height, rgb }: Picture): readonly (readonly number[])[] =>
  Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_x, x) => rgb[(y * width + x) * 3]!),
  );

/** A picture of greys, by its rows. */
const grey = (...rows: readonly (readonly number[])[]): Picture => ({
  ...{ width: rows[0]!.length, height: rows.length },
  rgb: Uint8Array.from(rows.flat().flatMap((value) => [value, value, value])),
});

const mask = (...rows: readonly (readonly number[])[]): Mask => ({
  ...{ kind: 'MASK', width: rows[0]!.length, height: rows.length, bytes: Uint8Array.from(rows.flat()) },
});

const rowsOf = ({ width, height, bytes }: Mask): readonly (readonly number[])[] =>
  Array.from({ length: height }, (_, y) => [...bytes.subarray(y * width, (y + 1) * width)]);

const redsOf = async (name: string, inputs: Record<string, unknown>) =>
  ((await valueOf(name, inputs)) as readonly Picture[]).map(reds);

const maskRows = async (name: string, inputs: Record<string, unknown>) =>
  rowsOf((await valueOf(name, inputs)) as Mask);

describe('M11: regular expressions', () => {
  const given = 'Red 12, red 7, blue 30';

  it.each([
    [{ regex_pattern: 'RED' }, true],
    [{ regex_pattern: 'RED', case_insensitive: false }, false],
    [{ regex_pattern: '^blue' }, false],
    [{ regex_pattern: '(' }, false],
  ])('match %j', async (inputs, matches) => {
    expect(await valueOf('RegexMatch', { string: given, ...inputs })).toBe(matches);
  });

  it.each([
    ['First Match', 'red \\d+', 1, 'Red 12'],
    ['All Matches', 'red \\d+', 1, 'Red 12\nred 7'],
    ['All Matches', 'red (\\d+)', 1, '12\n7'],
    ['First Group', '(?P<word>[a-z]+) (\\d+)', 2, '12'],
    ['First Group', '(red)', 2, ''],
    ['All Groups', '([a-z]+) (\\d+)', 2, '12\n7\n30'],
    ['All Matches', 'green', 1, ''],
  ])('extract by %s of %s, group %d', async (mode, pattern, group, text) => {
    const inputs = { string: given, regex_pattern: pattern, mode, group_index: group };
    expect(await valueOf('RegexExtract', inputs)).toBe(text);
  });

  it.each([
    [{ regex_pattern: '(\\w+) (\\d+)', replace: '\\2 \\g<1>!' }, '12 Red!, 7 red!, 30 blue!'],
    [{ regex_pattern: '\\d+', replace: 'x', count: 2 }, 'Red x, red x, blue 30'],
    [{ regex_pattern: '(?P<n>\\d+)', replace: '<\\g<n>>' }, 'Red <12>, red <7>, blue <30>'],
    [{ regex_pattern: '[', replace: 'x' }, given],
  ])('replace %j', async (inputs, text) => {
    expect(await valueOf('RegexReplace', { string: given, ...inputs })).toBe(text);
  });
});

describe('M11: pictures', () => {
  const image = [grey([1, 2, 3], [4, 5, 6])];

  it.each([
    [
      'none',
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
    ],
    [
      '90 degrees',
      [
        [4, 1],
        [5, 2],
        [6, 3],
      ],
    ],
    [
      '180 degrees',
      [
        [6, 5, 4],
        [3, 2, 1],
      ],
    ],
    [
      '270 degrees',
      [
        [3, 6],
        [2, 5],
        [1, 4],
      ],
    ],
  ])('are turned by %s', async (rotation, expected) => {
    expect(await redsOf('ImageRotate', { image, rotation })).toEqual([expected]);
  });

  it('are taken from a batch as far as it goes', async () => {
    const batch = [1, 2, 3].map((value) => grey([value]));
    expect(await redsOf('ImageFromBatch', { image: batch, batch_index: 1, length: 9 })).toEqual([
      [[2]],
      [[3]],
    ]);
    expect(await redsOf('ImageFromBatch', { image: batch, batch_index: 9, length: 1 })).toEqual([[[3]]]);
  });

  it('stand side by side with a gap, the smaller one in the middle where sizes stay', async () => {
    const inputs = {
      image1: image,
      image2: [grey([9])],
      spacing_width: 1,
      spacing_color: 'white',
      match_image_size: false,
    };
    expect(await redsOf('ImageStitch', { ...inputs, direction: 'right' })).toEqual([
      [
        [1, 2, 3, 255, 255, 9],
        [4, 5, 6, 255, 255, 0],
      ],
    ]);
    expect(await redsOf('ImageStitch', { ...inputs, direction: 'up', spacing_width: 0 })).toEqual([
      [
        [0, 9, 0],
        [1, 2, 3],
        [4, 5, 6],
      ],
    ]);
    expect(await redsOf('ImageStitch', { image1: image, direction: 'right' })).toEqual([
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
    ]);
  });

  it('get a grey frame and a mask that fades into the picture', async () => {
    const plain = [grey(...Array.from({ length: 8 }, () => new Array<number>(8).fill(200)))];
    const sides = { left: 0, top: 2, right: 0, bottom: 0, feathering: 2 };
    const [pictures, held] = await valuesOf('ImagePadForOutpaint', { image: plain, ...sides });
    expect(reds((pictures as Picture[])[0]!).map((row) => row[0])).toEqual([
      127,
      127,
      ...new Array<number>(8).fill(200),
    ]);
    // (2 - 0) / 2 and (2 - 1) / 2, squared.
    expect(rowsOf(held as Mask).map((row) => row[0])).toEqual([255, 255, 255, 64, 0, 0, 0, 0, 0, 0]);
  });

  it('keep their shape in a frame, and scale to an edge or a number of pixels', async () => {
    const pad = { target_width: 2, target_height: 4, padding_color: 'white', interpolation: 'nearest-exact' };
    expect(await redsOf('ResizeAndPadImage', { image: [grey([5, 5], [5, 5])], ...pad })).toEqual([
      [
        [255, 255],
        [5, 5],
        [5, 5],
        [255, 255],
      ],
    ]);
    const size = async (name: string, inputs: Record<string, unknown>) => {
      const [one] = (await valueOf(name, {
        image: [testPicture(40, 20)],
        upscale_method: 'area',
        ...inputs,
      })) as Picture[];
      return [one!.width, one!.height];
    };
    expect(await size('ImageScaleToMaxDimension', { largest_size: 10 })).toEqual([10, 5]);
    // 0.01 of 1024² pixels are 10,485: the factor is the root of 10,485 / 800.
    expect(await size('ImageScaleToTotalPixels', { megapixels: 0.01 })).toEqual([145, 72]);
  });

  it.each([
    ['normal', 51],
    ['multiply', 20],
    ['screen', 133],
    ['overlay', 41],
    ['difference', 51],
    ['soft_light', 65],
  ])('blend by %s', async (blend_mode, expected) => {
    // Of 0.4 and 0.2: 0.2, 0.08, 1 - 0.6 * 0.8, 2 * 0.08, 0.2, and 0.4 - 0.6 * 0.4 * 0.6.
    const inputs = { image1: [grey([102])], image2: [grey([51])], blend_factor: 1, blend_mode };
    expect(await redsOf('ImageBlend', inputs)).toEqual([[[expected]]]);
  });

  it('blur and sharpen by a bell whose weights are those of a square of three by three', async () => {
    const point = [grey([0, 0, 0], [0, 255, 0], [0, 0, 0])];
    const [edge, corner] = [Math.exp(-1 / 2), Math.exp(-1)];
    const sum = 1 + 4 * edge + 4 * corner;
    const [blurred] = await redsOf('ImageBlur', { image: point, blur_radius: 1, sigma: 1 });
    expect(blurred![1]![1]).toBe(Math.round(255 / sum));
    // Beyond the edge the picture goes on as in a mirror: a corner has the point four times among its neighbours.
    expect(blurred![0]![0]).toBe(Math.round((4 * corner * 255) / sum));
    const flat = [grey([90, 90, 90], [90, 90, 90], [90, 90, 90])];
    expect(await redsOf('ImageSharpen', { image: flat, sharpen_radius: 1, sigma: 1, alpha: 1 })).toEqual([
      reds(flat[0]!),
    ]);
    const [sharp] = await redsOf('ImageSharpen', { image: point, sharpen_radius: 1, sigma: 1, alpha: 1 });
    expect(sharp![1]).toEqual([0, 255, 0]);
  });

  it('lie on one another where a mask holds', async () => {
    const destination = [grey([10, 10, 10], [10, 10, 10])];
    const source = [grey([110, 210])];
    const at = { destination, source, x: 2, y: 1 };
    expect(await redsOf('ImageCompositeMasked', at)).toEqual([
      [
        [10, 10, 10],
        [10, 10, 110],
      ],
    ]);
    expect(await redsOf('ImageCompositeMasked', { ...at, x: 0, y: 0, mask: mask([51, 0]) })).toEqual([
      [
        [30, 10, 10],
        [10, 10, 10],
      ],
    ]);
  });

  it('get a transparency of a mask, keep it in a PNG, and give it back', async () => {
    const alpha = mask([0, 255, 100]);
    const joined = await valueOf('JoinImageWithAlpha', { image: [grey([1, 2, 3])], alpha });
    const context = recordingContext();
    await runNode('SaveImage', { images: joined, filename_prefix: 'x' }, context);
    expect(decodePicture(context.saved[0]!.bytes)).toMatchObject({ alpha: Uint8Array.of(255, 0, 155) });
    const [pictures, held] = await valuesOf('SplitImageWithAlpha', { image: joined });
    expect((pictures as Picture[])[0]).not.toHaveProperty('alpha');
    expect(held).toEqual(alpha);
    expect(((await valuesOf('SplitImageWithAlpha', { image: [grey([1])] }))[1] as Mask).bytes).toEqual(
      Uint8Array.of(0),
    );
  });
});

describe('M11: masks', () => {
  const point = mask([0, 0, 0], [0, 255, 0], [0, 0, 0]);

  it('are cut, and split at a value', async () => {
    const given = mask([1, 2, 3], [4, 5, 6]);
    expect(await maskRows('CropMask', { mask: given, x: 1, y: 0, width: 9, height: 1 })).toEqual([[2, 3]]);
    expect(await maskRows('ThresholdMask', { mask: mask([127, 128, 255]), value: 0.5 })).toEqual([
      [0, 255, 255],
    ]);
  });

  it('grow and shrink by a cross or a square', async () => {
    const grow = (given: Mask, expand: number, tapered_corners: boolean) =>
      maskRows('GrowMask', { mask: given, expand, tapered_corners });
    expect(await grow(point, 1, true)).toEqual([
      [0, 255, 0],
      [255, 255, 255],
      [0, 255, 0],
    ]);
    expect(await grow(point, 1, false)).toEqual([
      [255, 255, 255],
      [255, 255, 255],
      [255, 255, 255],
    ]);
    expect(await grow(point, -1, true)).toEqual([
      [0, 0, 0],
      [0, 0, 0],
      [0, 0, 0],
    ]);
    expect(await grow(point, 0, true)).toEqual(rowsOf(point));
  });

  it('fade at their edges, where the far one begins at the near one, as in an engine', async () => {
    const full = mask([240, 240, 240, 240]);
    const edges = { top: 0, bottom: 0 };
    expect(await maskRows('FeatherMask', { mask: full, left: 2, right: 0, ...edges })).toEqual([
      [120, 240, 240, 240],
    ]);
    // Row 0 of two has a half, and counted from the end it is the first column; row 1 has all.
    expect(await maskRows('FeatherMask', { mask: full, left: 0, right: 2, ...edges })).toEqual([
      [120, 240, 240, 240],
    ]);
  });

  it.each([
    ['multiply', 80],
    ['add', 255],
    ['subtract', 0],
    ['and', 0],
    ['or', 255],
    ['xor', 255],
  ])('are joined by %s', async (operation, expected) => {
    // 102 is 0.4 and 200 is 0.784.
    const inputs = { destination: mask([102, 7]), source: mask([200]), x: 0, y: 0, operation };
    expect(await maskRows('MaskComposite', inputs)).toEqual([[expected, 7]]);
  });

  it('hold where a picture has a colour', async () => {
    const image = [{ width: 2, height: 1, rgb: Uint8Array.of(1, 2, 3, 1, 2, 4) }];
    expect(await maskRows('ImageColorToMask', { image, color: 0x010203 })).toEqual([[255, 0]]);
  });
});

describe('M11: latents', () => {
  const encoded = async (...pictures: readonly Picture[]) =>
    (await valueOf('VAEEncode', { pixels: pictures, vae: { kind: 'VAE', checkpoint: 'c' } })) as Latent;
  const decoded = async (samples: unknown) => {
    const pictures = await valueOf('VAEDecode', { samples, vae: { kind: 'VAE', checkpoint: 'c' } });
    return (pictures as readonly Picture[]).map(reds);
  };
  const through = async (name: string, inputs: Record<string, unknown>) =>
    decoded(await valueOf(name, inputs));
  const two = grey([1, 2], [3, 4]);

  it('are turned and mirrored', async () => {
    const samples = await encoded(two);
    expect(await through('LatentRotate', { samples, rotation: '90 degrees' })).toEqual([
      [
        [3, 1],
        [4, 2],
      ],
    ]);
    expect(await through('LatentFlip', { samples, flip_method: 'x-axis: vertically' })).toEqual([
      [
        [3, 4],
        [1, 2],
      ],
    ]);
    expect(await through('LatentFlip', { samples, flip_method: 'y-axis: horizontally' })).toEqual([
      [
        [2, 1],
        [4, 3],
      ],
    ]);
  });

  it('are joined, repeated and taken from a batch', async () => {
    const [samples1, samples2] = [await encoded(grey([10])), await encoded(grey([30]))];
    const both = await valueOf('LatentBatch', { samples1, samples2 });
    expect(await decoded(both)).toEqual([[[10]], [[30]]]);
    expect(await through('RepeatLatentBatch', { samples: both, amount: 2 })).toHaveLength(4);
    expect(await through('LatentFromBatch', { samples: both, batch_index: 5, length: 1 })).toEqual([[[30]]]);
  });

  it('are counted from the grey of an empty one', async () => {
    const [samples1, samples2] = [await encoded(grey([147])), await encoded(grey([137]))];
    // 19.5 and 9.5 above the grey of 127.5; a half goes to the even number.
    expect(await through('LatentAdd', { samples1, samples2 })).toEqual([[[156]]]);
    expect(await through('LatentSubtract', { samples1, samples2 })).toEqual([[[138]]]);
    expect(await through('LatentBlend', { samples1, samples2, blend_factor: 0.8 })).toEqual([[[145]]]);
    expect(await through('LatentInterpolate', { samples1, samples2, ratio: 0.5 })).toEqual([[[142]]]);
    expect(await through('LatentMultiply', { samples: samples1, multiplier: -2 })).toEqual([[[88]]]);
  });

  it('are cut and scaled in blocks of eight pixels', async () => {
    const samples = await encoded(testPicture(128, 96));
    const size = async (name: string, inputs: Record<string, unknown>) => {
      const { width, height } = (await valueOf(name, {
        samples,
        upscale_method: 'area',
        ...inputs,
      })) as Latent;
      return [width, height];
    };
    expect(await size('LatentCrop', { width: 64, height: 64, x: 0, y: 0 })).toEqual([64, 64]);
    expect(await size('LatentCrop', { width: 512, height: 512, x: 100, y: 90 })).toEqual([64, 64]);
    expect(await size('LatentUpscale', { width: 70, height: 200, crop: 'disabled' })).toEqual([64, 200]);
    expect(await size('LatentUpscale', { width: 0, height: 192, crop: 'disabled' })).toEqual([256, 192]);
    expect(await size('LatentUpscaleBy', { scale_by: 0.5 })).toEqual([64, 48]);
    const [first] = reds(testPicture(128, 96)).slice(8);
    const cut = await through('LatentCrop', { samples, width: 64, height: 64, x: 8, y: 8 });
    expect(cut[0]![0]).toEqual(first!.slice(8, 72));
  });

  it('lie on one another, and fade in block by block', async () => {
    const plain = (value: number, size: number) =>
      grey(...Array.from({ length: size }, () => new Array<number>(size).fill(value)));
    const [samples_to, samples_from] = [await encoded(plain(0, 32)), await encoded(plain(200, 16))];
    const hard = await through('LatentComposite', { samples_to, samples_from, x: 9, y: 0, feather: 0 });
    expect(hard[0]![0]!.filter((value) => value === 200)).toHaveLength(16);
    expect(hard[0]![0]!.indexOf(200)).toBe(8);
    const soft = await through('LatentComposite', { samples_to, samples_from, x: 8, y: 0, feather: 16 });
    // Two blocks: a half, then all; and a half at the end again.
    expect([8, 16].map((x) => soft[0]![0]![x])).toEqual([100, 100]);
  });

  it.each([
    ['EmptySD3LatentImage', {}, 2],
    ['EmptyHunyuanImageLatent', {}, 2],
    ['EmptyHunyuanLatentVideo', { length: 10 }, 18],
    ['EmptyMochiLatentVideo', { length: 13 }, 26],
    ['EmptyLTXVLatentVideo', { length: 9 }, 18],
    ['EmptyCosmosLatentVideo', { length: 8 }, 2],
  ])('without content are made by %s', async (name, more, count) => {
    const latent = (await valueOf(name, { width: 64, height: 32, batch_size: 2, ...more })) as Latent;
    expect([latent.width, latent.height, latent.samples.length]).toEqual([64, 32, count]);
  });
});

describe('M11: sounds', () => {
  const sound = (channels: readonly (readonly number[])[], sampleRate = 4): Audio => ({
    ...{ kind: 'AUDIO', sampleRate, channels: channels.map((track) => Float32Array.from(track)) },
  });
  const tracks = async (name: string, inputs: Record<string, unknown>) =>
    ((await valuesOf(name, inputs)) as readonly Audio[]).map(({ channels }) =>
      channels.map((track) => [...track]),
    );

  it('follow one another, in stereo, at the higher rate', async () => {
    const audio = { audio1: sound([[0.5, 0.25]]), audio2: sound([[1], [-1]]) };
    expect(await tracks('AudioConcat', { ...audio, direction: 'after' })).toEqual([
      [
        [0.5, 0.25, 1],
        [0.5, 0.25, -1],
      ],
    ]);
    expect(await tracks('AudioConcat', { ...audio, direction: 'before' })).toEqual([
      [
        [1, 0.5, 0.25],
        [-1, 0.5, 0.25],
      ],
    ]);
    const slow = { audio1: sound([[0, 1]], 2), audio2: sound([[0.5]], 4), direction: 'after' };
    expect((await tracks('AudioConcat', slow))[0]![0]).toEqual([0, 0.5, 1, 1, 0.5]);
  });

  it.each([
    ['add', [0.75, 0.5]],
    ['mean', [0.375, 0.25]],
    ['subtract', [0.25, 0.5]],
    ['multiply', [0.125, 0]],
  ])('are merged by %s', async (merge_method, expected) => {
    const audio = { audio1: sound([[0.5, 0.5]]), audio2: sound([[0.25]]) };
    expect(await tracks('AudioMerge', { ...audio, merge_method })).toEqual([[expected]]);
  });

  it('that would be too loud together are softer as a whole', async () => {
    const audio = { audio1: sound([[1, 0.5]]), audio2: sound([[1, 0]]) };
    expect(await tracks('AudioMerge', { ...audio, merge_method: 'add' })).toEqual([[[1, 0.25]]]);
  });

  it('get louder by decibels, are cut by seconds, and split into their tracks', async () => {
    expect(
      (await tracks('AudioAdjustVolume', { audio: sound([[0.05]]), volume: 20 }))[0]![0]![0],
    ).toBeCloseTo(0.5, 6);
    const audio = sound([[1, 2, 3, 4, 5, 6]]);
    expect(await tracks('TrimAudioDuration', { audio, start_index: 0.5, duration: 0.5 })).toEqual([[[3, 4]]]);
    expect(await tracks('TrimAudioDuration', { audio, start_index: -0.5, duration: 9 })).toEqual([[[5, 6]]]);
    await expect(tracks('TrimAudioDuration', { audio, start_index: 0, duration: 0 })).rejects.toThrow(
      'AudioTrim',
    );
    expect(await tracks('SplitAudioChannels', { audio: sound([[1], [2]]) })).toEqual([[[1]], [[2]]]);
    await expect(tracks('SplitAudioChannels', { audio })).rejects.toThrow('only one channel');
  });

  it('are played from a temporary file', async () => {
    const context = recordingContext();
    const { ui } = await runNode('PreviewAudio', { audio: sound([[0.5]]) }, context);
    expect(ui).toMatchObject({ audio: [{ type: 'temp' }] });
    expect(Buffer.from(context.saved[0]!.bytes).toString('latin1', 0, 4)).toBe('fLaC');
  });
});

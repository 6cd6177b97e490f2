import { describe, expect, it } from 'vitest';
import type { Audio, Latent, Sigmas } from '../../../../src/emulator/engine/values.js';
import type { Picture } from '../../../../src/emulator/engine/node-class.js';
import { plainPicture, recordingContext, runNode, testPicture } from '../run-node.js';

const valuesOf = async (
  name: string,
  inputs: Record<string, unknown>,
  files?: ReadonlyMap<string, Uint8Array>,
) => (await runNode(name, inputs, recordingContext({}, files))).values;

/** What a node saves, under the name by which another one loads it. */
const fileOf = async (name: string, inputs: Record<string, unknown>) => {
  const context = recordingContext();
  const { ui } = await runNode(name, inputs, context);
  return { ui, bytes: context.saved[0]!.bytes, files: new Map([['given', context.saved[0]!.bytes]]) };
};

describe('M11: latents in files', () => {
  const latent: Latent = {
    ...{ kind: 'LATENT', width: 64, height: 32, grid: { width: 2, height: 1 } },
    samples: [Float32Array.of(0, 127.5, 255, 10, 20, 30), Float32Array.of(1, 2, 3, 4, 5, 6)],
  };

  it('are those that were saved, of the same size', async () => {
    const { ui, files } = await fileOf('SaveLatent', { samples: latent });
    expect(ui).toMatchObject({ latents: [{ filename: expect.stringMatching(/\.latent$/u) as string }] });
    const [loaded] = (await valuesOf('LoadLatent', { latent: 'given' }, files)) as [Latent];
    expect(loaded).toMatchObject({ width: 64, height: 32, grid: { width: 2, height: 1 } });
    for (const [at, sample] of loaded.samples.entries())
      for (const [place, value] of sample.entries())
        expect(value).toBeCloseTo(latent.samples[at]![place]!, 3);
  });

  it('are safetensors, with the prompt in their header', async () => {
    const { bytes } = await fileOf('SaveLatent', { samples: latent });
    const file = Buffer.from(bytes);
    const end = 8 + Number(file.readBigUInt64LE(0));
    expect(end % 8).toBe(0);
    expect(JSON.parse(file.toString('utf8', 8, end))).toEqual({
      __metadata__: { prompt: '{"1":{"class_type":"Test","inputs":{}}}', promptwire_size: '64x32' },
      latent_tensor: { dtype: 'F32', shape: [2, 3, 1, 2], data_offsets: [0, 48] },
      latent_format_version_0: { dtype: 'F32', shape: [0], data_offsets: [48, 48] },
    });
    expect(file.length).toBe(end + 48);
  });

  it('of an engine stand for eight pixels an edge, and other files for none', async () => {
    const header = JSON.stringify({
      latent_tensor: { dtype: 'F32', shape: [1, 4, 1, 1], data_offsets: [0, 16] },
    });
    const file = Buffer.alloc(8 + header.length + 16);
    file.writeBigUInt64LE(BigInt(header.length));
    file.write(header, 8, 'latin1');
    const [loaded] = (await valuesOf('LoadLatent', { latent: 'given' }, new Map([['given', file]]))) as [
      Latent,
    ];
    expect(loaded).toMatchObject({ width: 8, height: 8, samples: [Float32Array.of(127.5, 127.5, 127.5)] });
    await expect(
      valuesOf('LoadLatent', { latent: 'given' }, new Map([['given', Buffer.from('{}')]])),
    ).rejects.toThrow('deserializing');
  });
});

it('M11 loads the sound that was saved, and no other file as one', async () => {
  const audio: Audio = {
    ...{ kind: 'AUDIO', sampleRate: 8_000 },
    channels: [Float32Array.of(0, 0.5, -0.5), Float32Array.of(1, -1, 0)],
  };
  const { files } = await fileOf('SaveAudio', { audio });
  const [loaded] = (await valuesOf('LoadAudio', { audio: 'given' }, files)) as [Audio];
  expect(loaded.sampleRate).toBe(8_000);
  expect(loaded.channels.map((track) => Array.from(track, (value) => Math.round(value * 100) / 100))).toEqual(
    [
      [0, 0.5, -0.5],
      [1, -1, 0],
    ],
  );
  await expect(valuesOf('LoadAudio', { audio: 'none' })).rejects.toThrow('Decoder not found');
});

it('M11 takes the picture of a camera as an upload, without a mask', async () => {
  const { files } = await fileOf('SaveImage', { images: [testPicture(4, 2)] });
  const values = await valuesOf('WebcamCapture', { image: 'given' }, files);
  expect(values).toEqual([[testPicture(4, 2)]]);
});

describe('M11: edges', () => {
  /** Black to the left, and this grey from the middle on. */
  const step = (grey: number): Picture => ({
    ...{ width: 12, height: 9 },
    rgb: Uint8Array.from({ length: 12 * 9 * 3 }, (_, at) => (Math.floor(at / 3) % 12 < 6 ? 0 : grey)),
  });
  const edgesOf = async (picture: Picture, low = 0.4, high = 0.8) => {
    const inputs = { image: [picture], low_threshold: low, high_threshold: high };
    const [[edges]] = (await valuesOf('Canny', inputs)) as [[Picture]];
    return Array.from({ length: 12 }, (_, x) => edges.rgb[(4 * 12 + x) * 3]);
  };

  it('are where the picture changes most, one or two pixels wide, and none where it does not', async () => {
    const row = await edgesOf(step(255));
    expect(row.filter((value) => value === 255).length).toBeGreaterThan(0);
    expect(row.every((value, x) => value === 0 || x === 5 || x === 6)).toBe(true);
    expect(await edgesOf(plainPicture(12, 9, [90, 90, 90]))).toEqual(row.map(() => 0));
  });

  it('are those above the higher threshold, and what touches them above the lower', async () => {
    expect(await edgesOf(step(40), 0.1, 0.99)).toEqual(Array<number>(12).fill(0));
    expect((await edgesOf(step(80), 0.1, 0.3)).some((value) => value === 255)).toBe(true);
  });
});

it.each([
  ['Starts With', 'Abc', 'ab', false, true],
  ['Starts With', 'Abc', 'ab', true, false],
  ['Ends With', 'Abc', 'bc', true, true],
  ['Equal', 'Abc', 'aBC', false, true],
  ['Equal', 'Abc', 'aBC', true, false],
])('M11 compares texts: %s of %s and %s, exactly: %s', async (mode, one, other, exact, equal) => {
  const inputs = { string_a: one, string_b: other, mode, case_sensitive: exact };
  expect(await valuesOf('StringCompare', inputs)).toEqual([equal]);
});

describe('M11: schedules of noise', () => {
  const bounds = { steps: 4, sigma_max: 16, sigma_min: 1 };
  const listed = ({ values }: Sigmas) => Array.from(values, (value) => Math.round(value * 1000) / 1000);
  const sigmas: Sigmas = { kind: 'SIGMAS', values: Float32Array.of(8, 4, 2, 1, 0) };

  it.each([
    ['KarrasScheduler', { ...bounds, rho: 1 }, [16, 11, 6, 1, 0]],
    ['KarrasScheduler', { ...bounds, rho: 2 }, [16, 9, 4, 1, 0]],
    ['ExponentialScheduler', bounds, [16, 6.35, 2.52, 1, 0]],
    ['PolyexponentialScheduler', { ...bounds, rho: 1 }, [16, 6.35, 2.52, 1, 0]],
    ['LaplaceScheduler', { ...bounds, mu: 0, beta: 0.5 }, [16, 1.225, 1, 1]],
    [
      'AlignYourStepsScheduler',
      { model_type: 'SDXL', steps: 10, denoise: 1 },
      [14.615, 6.318, 3.768, 2.181, 1.341, 0.862, 0.555, 0.38, 0.233, 0.111, 0],
    ],
    [
      'AlignYourStepsScheduler',
      { model_type: 'SVD', steps: 5, denoise: 1 },
      [700, 15.886, 4.248, 0.981, 0.173, 0],
    ],
    ['AlignYourStepsScheduler', { model_type: 'SVD', steps: 20, denoise: 0.1 }, [0.034, 0.008, 0]],
    ['AlignYourStepsScheduler', { model_type: 'SD1', steps: 5, denoise: 0 }, []],
    ['OptimalStepsScheduler', { model_type: 'FLUX', steps: 10, denoise: 0.25 }, [0.551, 0.281, 0]],
    ['GITSScheduler', { coeff: 1.2, steps: 2, denoise: 1 }, [14.615, 0.803, 0]],
    ['GITSScheduler', { coeff: 0.8, steps: 4, denoise: 1 }, [14.615, 11.545, 7.49, 3.073, 0]],
    ['GITSScheduler', { coeff: 1.5, steps: 20, denoise: 0.1 }, [0.138, 0.098, 0]],
    ['GITSScheduler', { coeff: 0.8, steps: 40, denoise: 0.1 }, [1.787, 1.198, 0.803, 0.153, 0]],
    ['GITSScheduler', { coeff: 1, steps: 6, denoise: 0 }, []],
    ['LTXVScheduler', { steps: 2, max_shift: 0, base_shift: 0, stretch: false, terminal: 0.1 }, [1, 0.5, 0]],
    ['LTXVScheduler', { steps: 2, max_shift: 2.05, base_shift: 0.95, stretch: false }, [1, 0.886, 0]],
    [
      'LTXVScheduler',
      { steps: 4, max_shift: 2.05, base_shift: 0.95, stretch: true, terminal: 0.1 },
      [1, 0.867, 0.632, 0.1, 0],
    ],
    ['VPScheduler', { steps: 2, beta_d: 19.9, beta_min: 0.1, eps_s: 0.001 }, [152.167, 0.01, 0]],
  ])('%s of %j', async (name, inputs, values) => {
    const [made] = (await valuesOf(name, inputs)) as [Sigmas];
    expect(listed(made)).toEqual(values);
  });

  it.each([
    [
      'SplitSigmas',
      { step: 2 },
      [
        [8, 4, 2],
        [2, 1, 0],
      ],
    ],
    [
      'SplitSigmasDenoise',
      { denoise: 0.5 },
      [
        [8, 4, 2],
        [2, 1, 0],
      ],
    ],
    [
      'SplitSigmasDenoise',
      { denoise: 0.25 },
      [
        [8, 4, 2, 1],
        [1, 0],
      ],
    ],
    ['SplitSigmas', { step: 9 }, [[8, 4, 2, 1, 0], []]],
    ['FlipSigmas', {}, [[0, 1, 2, 4, 8]]],
    [
      'ExtendIntermediateSigmas',
      { steps: 2, start_at_sigma: -1, end_at_sigma: 3, spacing: 'linear' },
      [[8, 6, 4, 3, 2, 1, 0]],
    ],
    [
      'ExtendIntermediateSigmas',
      { steps: 2, start_at_sigma: 5, end_at_sigma: 3, spacing: 'sine' },
      [[8, 4, 3.414, 2, 1, 0]],
    ],
    ['SetFirstSigma', { sigma: 5 }, [[5, 4, 2, 1, 0]]],
  ])('%s by %j', async (name, inputs, lists) => {
    const values = (await valuesOf(name, { sigmas, ...inputs })) as readonly Sigmas[];
    expect(values.map(listed)).toEqual(lists);
  });

  it('are shown as a tensor', async () => {
    const { ui } = await runNode('PreviewAny', { source: sigmas });
    expect(ui).toEqual({ text: ['tensor([8.0000, 4.0000, 2.0000, 1.0000, 0.0000])'] });
  });
});

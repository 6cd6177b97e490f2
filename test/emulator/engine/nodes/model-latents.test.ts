import { type Audio, emptyLatent, type Latent } from '../../../../src/emulator/engine/values.js';
import { describe, expect, it } from 'vitest';
import { recordingContext, runNode, testPicture } from '../run-node.js';

const model = { kind: 'MODEL', checkpoint: 'c' };
const vae = { kind: 'VAE', checkpoint: 'c' };
const text = (words: string) => ({ kind: 'CONDITIONING', text: words });
const pair = { positive: text('a cat'), negative: text('rain') };

const make = async <T>(name: string, inputs: Readonly<Record<string, unknown>>): Promise<T> =>
  (await runNode(name, inputs)).values[0] as T;

/** One step of a sampler on a latent. */
const sampled = (latent: Latent, context = recordingContext()) =>
  runNode(
    'KSampler',
    {
      ...{ model, seed: 1, steps: 1, cfg: 7, sampler_name: 'euler', scheduler: 'normal', denoise: 1 },
      ...{ ...pair, latent_image: latent },
    },
    context,
  );

describe('M11: latents of sound and of shapes', () => {
  it.each([
    ['EmptyLatentAudio', { seconds: 47.6 }, [64, 1024]],
    ['EmptyLatentAudio', { seconds: 1 }, [64, 22]],
    ['EmptyAceStepLatentAudio', { seconds: 120 }, [8, 16, 1291]],
    ['EmptyLatentHunyuan3Dv2', { resolution: 3072 }, [64, 3072]],
  ])('are as long as the engine makes them: %s of %j', async (name, inputs, shape) => {
    const latent = await make<Latent>(name, { ...inputs, batch_size: 2 });
    expect(latent.samples).toHaveLength(2);
    expect(latent.form?.shape).toEqual(shape);
  });

  it.each([
    ['EmptyLatentAudio', { seconds: 1 }, 22 * 2048],
    ['EmptyAceStepLatentAudio', { seconds: 1 }, 10 * 4096],
  ])('%s becomes a sound of its length, which seed and text decide', async (name, inputs, length) => {
    const context = recordingContext();
    const latent = await make<Latent>(name, { ...inputs, batch_size: 1 });
    const samples = (await sampled(latent, context)).values[0];
    expect(context.steps).toEqual([[1, 1]]);
    expect(context.previews).toEqual([]);
    const sound = await make<Audio>('VAEDecodeAudio', { samples, vae });
    expect(sound).toMatchObject({ kind: 'AUDIO', sampleRate: 44_100 });
    expect(sound.channels.map((channel) => channel.length)).toEqual([length, length]);
    expect(Math.max(...sound.channels[0]!.subarray(0, 4096))).toBeGreaterThan(0.01);
    expect(sound).not.toEqual(await make('VAEDecodeAudio', { samples: latent, vae }));
  });

  it('are no pictures, and pictures are not them', async () => {
    const sound = await make<Latent>('EmptyLatentAudio', { seconds: 1, batch_size: 1 });
    const failure = { exceptionType: 'RuntimeError' };
    await expect(runNode('VAEDecode', { samples: sound, vae })).rejects.toMatchObject(failure);
    const pictures = emptyLatent(16, 16, 1);
    await expect(runNode('VAEDecodeAudio', { samples: pictures, vae })).rejects.toMatchObject(failure);
    await expect(runNode('VAEDecodeHunyuan3D', { samples: sound, vae })).rejects.toMatchObject(failure);
  });

  it.each([
    ['EmptyLatentAudio', { seconds: 1 }],
    ['EmptyAceStepLatentAudio', { seconds: 1 }],
    ['EmptyLatentHunyuan3Dv2', { resolution: 40 }],
  ])('are saved in their shape, and loaded again: %s', async (name, inputs) => {
    const latent = (await sampled(await make<Latent>(name, { ...inputs, batch_size: 2 })))
      .values[0] as Latent;
    const context = recordingContext();
    await runNode('SaveLatent', { samples: latent }, context);
    const files = new Map([['a.latent', context.saved[0]!.bytes]]);
    const { values } = await runNode('LoadLatent', { latent: 'a.latent' }, recordingContext({}, files));
    const loaded = values[0] as Latent;
    expect(loaded).toMatchObject({ form: latent.form, grid: latent.grid });
    const greens = ({ samples }: Latent) => samples.map((sample) => sample.filter((_, at) => at % 3 === 1));
    for (const [at, sample] of greens(loaded).entries())
      for (const [place, value] of sample.entries())
        expect(value).toBeCloseTo(greens(latent)[at]![place]!, 2);
  });
});

describe('M11: guides of films', () => {
  const film = emptyLatent(64, 32, 9);
  const guide = (count: number) => Array.from({ length: count }, (_, at) => testPicture(32, 32, at));

  it('stand at the end of the latent in whole steps, and are cropped with no trace', async () => {
    const first = await runNode('LTXVAddGuide', { ...pair, vae, latent: film, image: guide(1) });
    const [positive, negative, latent] = first.values;
    expect((latent as Latent).samples).toHaveLength(10);
    const second = await runNode('LTXVAddGuide', {
      ...{ positive, negative, vae, latent },
      image: guide(12),
    });
    expect((second.values[2] as Latent).samples).toHaveLength(19);
    const [p, n, l] = second.values;
    const { values } = await runNode('LTXVCropGuides', { positive: p, negative: n, latent: l });
    expect(values).toMatchObject([pair.positive, pair.negative, film]);
    expect((values[2] as Latent).samples).toHaveLength(9);
  });

  it('are not cropped where there are none', async () => {
    const { values } = await runNode('LTXVCropGuides', { ...pair, latent: film });
    expect(values).toEqual([pair.positive, pair.negative, film]);
  });
});

describe('M11: conditioning for one model', () => {
  it('gives the upscaler a latent of the larger size, for each picture', async () => {
    const inputs = { ...pair, images: [testPicture(10, 6), testPicture(10, 6)], scale_ratio: 4 };
    const { values } = await runNode('SD_4XUpscale_Conditioning', { ...inputs, noise_augmentation: 0 });
    expect(values).toMatchObject([pair.positive, pair.negative, { width: 40, height: 24 }]);
    expect((values[2] as Latent).samples).toHaveLength(2);
  });

  it('gives the refiner a latent without content as large as the given one', async () => {
    const latent = (await sampled(emptyLatent(32, 16, 3))).values[0];
    const { values } = await runNode('HunyuanRefinerLatent', { ...pair, latent, noise_augmentation: 0.1 });
    expect(values).toEqual([pair.positive, pair.negative, emptyLatent(32, 16, 3)]);
  });

  it('tells how a camera moves, and how large and long the film is to be', async () => {
    const { values } = await runNode('WanCameraEmbedding', {
      ...{ camera_pose: 'Pan Up', width: 64, height: 32, length: 9, speed: 2 },
    });
    expect(values).toMatchObject([{ pose: 'Pan Up', speed: 2, frames: 9 }, 64, 32, 9]);
    const [camera, width, height, length] = values;
    const made = await runNode('WanCameraImageToVideo', {
      ...{ ...pair, vae, width, height, length, batch_size: 2, camera_conditions: camera },
    });
    expect(made.values).toEqual([pair.positive, pair.negative, emptyLatent(64, 32, 18)]);
  });

  it('has no text for Lotus', async () => {
    expect(await make('LotusConditioning', {})).toEqual(text(''));
  });
});

import { describe, expect, it } from 'vitest';
import {
  emptyLatent,
  encodeLatent,
  type Latent,
  type Sigmas,
} from '../../../../src/emulator/engine/values.js';
import { plainPicture, recordingContext, runNode } from '../run-node.js';
import { schedulerNames } from '../../../../src/emulator/engine/sample.js';

const model = { kind: 'MODEL', checkpoint: 'c' };
const text = (words: string) => ({ kind: 'CONDITIONING', text: words });
const latent = emptyLatent(24, 16, 2);

const make = async <T>(name: string, inputs: Readonly<Record<string, unknown>>): Promise<T> =>
  (await runNode(name, inputs)).values[0] as T;

const guider = () => make('CFGGuider', { model, positive: text('a forest'), negative: text('rain'), cfg: 7 });
const euler = () => make('KSamplerSelect', { sampler_name: 'euler' });
const noise = (seed: number) => make('RandomNoise', { noise_seed: seed });
const levels = (scheduler: string, steps: number, denoise = 1) =>
  make<Sigmas>('BasicScheduler', { model, scheduler, steps, denoise });

const sampled = async (more: Readonly<Record<string, unknown>> = {}, context = recordingContext()) => {
  const { values } = await runNode(
    'SamplerCustomAdvanced',
    {
      ...{ noise: await noise(5), guider: await guider(), sampler: await euler() },
      ...{ sigmas: await levels('normal', 4), latent_image: latent },
      ...more,
    },
    context,
  );
  return values as readonly [output: Latent, denoised: Latent];
};

const bySampler = async (more: Readonly<Record<string, unknown>> = {}): Promise<Latent> =>
  make('KSampler', {
    ...{ model, seed: 5, steps: 4, cfg: 7, sampler_name: 'euler', scheduler: 'normal', denoise: 1 },
    ...{ positive: text('a forest'), negative: text('rain'), latent_image: latent },
    ...more,
  });

describe('M11: sampling by parts', () => {
  it.each(schedulerNames)(
    'comes to the pictures of KSampler by the levels of scheduler %s',
    async (scheduler) => {
      const [output, denoised] = await sampled({ sigmas: await levels(scheduler, 4) });
      expect(output.samples).toEqual((await bySampler({ scheduler })).samples);
      expect(denoised.samples).toEqual(output.samples);
    },
  );

  it('reports each step with a preview of the first picture', async () => {
    const context = recordingContext();
    await sampled({}, context);
    expect(context.steps).toEqual([1, 2, 3, 4].map((step) => [step, 4]));
    expect(context.previews.map((preview) => preview().mediaType)).toEqual(Array(4).fill('image/jpeg'));
  });

  it('draws the same by SamplerCustom, and another picture for another seed', async () => {
    const inputs = {
      ...{
        model,
        add_noise: true,
        noise_seed: 5,
        cfg: 7,
        positive: text('a forest'),
        negative: text('rain'),
      },
      ...{ sampler: await euler(), sigmas: await levels('normal', 4), latent_image: latent },
    };
    const [byParts] = await sampled();
    expect(await make<Latent>('SamplerCustom', inputs)).toEqual(byParts);
    expect((await sampled({ noise: await noise(6) }))[0].samples).not.toEqual(byParts.samples);
  });

  it('leaves noise where the levels end above zero, and goes on from it without noise of its own', async () => {
    const sigmas = await levels('normal', 4);
    const [high, low] = (await runNode('SplitSigmas', { sigmas, step: 2 })).values;
    const [whole] = await sampled();
    const [half, foreseen] = await sampled({ sigmas: high });
    expect(half.samples).not.toEqual(whole.samples);
    const without = await make('DisableNoise', {});
    const [end] = await sampled({ noise: without, sigmas: low, latent_image: half });
    expect(end.samples).toEqual(foreseen.samples);
    const picked = await make<Latent>('LatentFromBatch', { samples: half, batch_index: 1, length: 1 });
    const [second] = await sampled({ noise: without, sigmas: low, latent_image: picked });
    expect(second.samples).toEqual(foreseen.samples.slice(1));
  });

  it('keeps more of the given picture the lower the levels begin', async () => {
    const bright: Latent = {
      ...emptyLatent(24, 16, 1),
      samples: [encodeLatent(plainPicture(24, 16, [255, 255, 255]))],
    };
    const kept = async (denoise: number) => {
      const [{ samples }] = await sampled({
        sigmas: await levels('normal', 4, denoise),
        latent_image: bright,
      });
      return samples[0]!.reduce((sum, value) => sum + 255 - value, 0);
    };
    const [little, much] = [await kept(0.25), await kept(0.75)];
    expect(little).toBeGreaterThan(0);
    expect(much).toBeGreaterThan(little * 1.5);
  });

  it('takes a schedule of a flow from its first level as one that replaces all', async () => {
    const bright: Latent = { ...latent, samples: [encodeLatent(plainPicture(24, 16, [255, 255, 255]))] };
    const flow = await make<Sigmas>('OptimalStepsScheduler', { model_type: 'Wan', steps: 4, denoise: 1 });
    const [output] = await sampled({ sigmas: flow, latent_image: bright });
    expect(output.samples).toEqual((await sampled({ sigmas: flow }))[0].samples.slice(0, 1));
  });

  it('hands on the latent where there is no step to take', async () => {
    const [output] = await sampled({ sigmas: await levels('normal', 4, 0) });
    expect(output).toEqual(latent);
  });

  it('fails at a part of another kind', async () => {
    for (const part of ['noise', 'guider', 'sampler', 'sigmas', 'latent_image'])
      await expect(sampled({ [part]: model })).rejects.toMatchObject({ exceptionType: 'TypeError' });
  });
});

describe('M11: guiders', () => {
  it.each([
    ['BasicGuider', { conditioning: text('a cat') }, { positive: 'a cat', negative: '', cfg: 1 }],
    [
      'DualCFGGuider',
      {
        cond1: text('a cat'),
        cond2: text('a hat'),
        negative: text('rain'),
        cfg_conds: 3,
        cfg_cond2_negative: 4,
      },
      { positive: 'a cat, a hat', negative: 'rain', cfg: 3 },
    ],
    [
      'PerpNegGuider',
      { positive: text('a cat'), negative: text('rain'), empty_conditioning: text(''), cfg: 2 },
      { positive: 'a cat', negative: 'rain', cfg: 2 },
    ],
  ])(
    '%s takes its texts and how far they are followed',
    async (name, inputs, { positive, negative, cfg }) => {
      expect(await make(name, { model, ...inputs })).toMatchObject({
        ...{ positive: { text: positive }, negative: { text: negative }, cfg },
      });
    },
  );
});

it.each([
  ['SamplerEulerAncestral', {}, 'euler_ancestral'],
  ['SamplerEulerAncestralCFGPP', {}, 'euler_ancestral_cfg_pp'],
  ['SamplerLMS', { order: 4 }, 'lms'],
  ['SamplerDPMPP_2S_Ancestral', {}, 'dpmpp_2s_ancestral'],
  ['SamplerDPMPP_2M_SDE', { noise_device: 'cpu' }, 'dpmpp_2m_sde'],
  ['SamplerDPMPP_2M_SDE', { noise_device: 'gpu' }, 'dpmpp_2m_sde_gpu'],
  ['SamplerDPMPP_3M_SDE', { noise_device: 'gpu' }, 'dpmpp_3m_sde_gpu'],
  ['SamplerDPMPP_SDE', { noise_device: 'cpu' }, 'dpmpp_sde'],
  ['SamplerDPMAdaptative', {}, 'dpm_adaptive'],
  ['SamplerER_SDE', {}, 'er_sde'],
  ['SamplerEulerCFGpp', { version: 'regular' }, 'euler_cfg_pp'],
  ['SamplerLCMUpscale', {}, 'lcm'],
])('M11 makes a sampler by %s of %j, with which pictures are drawn', async (name, inputs, sampler) => {
  const made = await make(name, inputs);
  expect(made).toEqual({ kind: 'SAMPLER', name: sampler });
  const [output] = await sampled({ sampler: made });
  expect(output.samples).toHaveLength(2);
});

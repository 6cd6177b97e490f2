import { define, instant } from '../define.js';
import type { Latent } from '../values.js';
import { maskedWay, placeOfNoise, takeSteps } from './sampling-steps.js';
import { type Inputs, read } from '../read.js';
import type { NodeClass } from '../node-class.js';
import { sample, samplerNames, schedulerNames, type Trajectory } from '../sample.js';

/** Turns seeded noise into a picture step by step; previews show the first picture of the batch. */
export const kSampler: NodeClass = {
  definition: () => kSamplerDefinition,
  execute: async (inputs, context) => {
    const latent = read.latent(inputs, 'latent_image');
    const steps = read.number(inputs, 'steps');
    const denoise = read.number(inputs, 'denoise', 1);
    read.part(inputs, 'model', 'MODEL');
    if (denoise <= 0) return { values: [latent] };
    const ways = trajectories(inputs, latent, steps, denoise);
    await takeSteps(context, latent, ways, steps);
    return { values: [{ ...latent, samples: ways.map((way) => way(steps)) } satisfies Latent] };
  },
};

const trajectories = (
  inputs: Inputs,
  latent: Latent,
  steps: number,
  denoise: number,
): readonly Trajectory[] =>
  latent.samples.map((from, place) => {
    const way = sample({
      prompt: read.conditioning(inputs, 'positive').text,
      negative: read.conditioning(inputs, 'negative').text,
      seed: read.seed(inputs, 'seed'),
      index: placeOfNoise(latent, place),
      grid: latent.grid,
      steps,
      cfg: read.number(inputs, 'cfg'),
      sampler: read.text(inputs, 'sampler_name'),
      scheduler: read.text(inputs, 'scheduler'),
      denoise,
      from,
    });
    return maskedWay(latent, from, way);
  });

const kSamplerDefinition = define({
  name: 'KSampler',
  title: 'KSampler',
  description: 'Takes noise away step by step, guided by two texts.',
  category: 'sampling',
  required: {
    model: ['MODEL', { tooltip: 'The model that takes the noise away.' }],
    seed: ['INT', { default: 0, min: 0, max: 18_446_744_073_709_551_615n, control_after_generate: true }],
    steps: ['INT', { default: 20, min: 1, max: 10_000 }],
    cfg: ['FLOAT', { default: 8, min: 0, max: 100, step: 0.1, round: 0.01 }],
    sampler_name: [samplerNames, { tooltip: 'How each step is made.' }],
    scheduler: [schedulerNames, { tooltip: 'How much noise each step takes away.' }],
    positive: ['CONDITIONING', { tooltip: 'What the picture should show.' }],
    negative: ['CONDITIONING', { tooltip: 'What it should not show.' }],
    latent_image: ['LATENT', { tooltip: 'Where it begins.' }],
    denoise: ['FLOAT', { default: 1, min: 0, max: 1, step: 0.01 }],
  },
  outputs: [{ type: 'LATENT', tooltip: 'The denoised latent.' }],
});

/** Chooses sampler and scheduler in one place, for several samplers. */
export const samplerSelector: NodeClass = {
  definition: () => samplerSelectorDefinition,
  execute: instant((inputs) => ({
    values: [read.text(inputs, 'sampler_name'), read.text(inputs, 'scheduler')],
  })),
};

const samplerSelectorDefinition = define({
  name: 'SamplerSelector',
  title: 'Sampler Selector',
  category: 'sampling',
  pythonModule: 'custom_nodes.sampler_selector',
  required: { sampler_name: [samplerNames], scheduler: [schedulerNames] },
  outputs: [
    { type: samplerNames, name: 'sampler_name' },
    { type: schedulerNames, name: 'scheduler' },
  ],
});

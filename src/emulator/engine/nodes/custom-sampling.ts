import { fullNoise, type Latent, type Sigmas } from '../values.js';
import { cfg, type Guider, guiderOf } from './guiders.js';
import { define, type NodeDescription } from '../define.js';
import { goalOf, noisyOf, type GoalOptions, toward, type Trajectory } from '../sample.js';
import { maskedWay, placeOfNoise, takeSteps } from './sampling-steps.js';
import { type Noise, noiseOf, noiseSeed } from './noises.js';
import type { NodeClass, NodeContext, NodeResult } from '../node-class.js';
import { type Inputs, read } from '../read.js';
import { type Sampler, samplerOf } from './sampler-objects.js';

const of: Partial<NodeDescription> = { pythonModule: 'comfy_extras.nodes_custom_sampler' };
/** What a sampler of parts runs by. */
interface Parts {
  readonly noise: Noise;
  readonly guider: Guider;
  readonly sampler: Sampler;
  readonly sigmas: Sigmas;
  readonly latent: Latent;
}

/** How much of the noise is left at each level: a quarter of the level leaves half of it. */
const sharesOf = ({ values, full = fullNoise }: Sigmas): readonly number[] =>
  Array.from(values, (level) => Math.min(1, Math.sqrt(Math.max(0, level) / full)));

/** The way of one picture of the batch, and where it leads once no noise is left. */
interface Course {
  readonly way: Trajectory;
  readonly goal: Float32Array;
}

const coursesOf = (parts: Parts, shares: readonly number[]): readonly Course[] => {
  const { noise, guider, sampler, latent } = parts;
  const most = Math.max(...shares);
  return latent.samples.map((from, place) => {
    const options: GoalOptions = {
      ...{ prompt: guider.positive.text, negative: guider.negative.text, cfg: guider.cfg },
      ...{ seed: noise.seed ?? 0n, index: placeOfNoise(latent, place), grid: latent.grid },
      ...{ steps: shares.length - 1, sampler: sampler.name, denoise: most, from },
    };
    const begun = noise.seed === undefined ? latent.goals?.get(from) : undefined;
    const goal = begun?.length === from.length ? begun : goalOf(options);
    const start = noise.seed === undefined ? from : noisyOf(goal, options);
    const way = toward(goal, start, (step) => (most === 0 ? 0 : (shares[step] ?? 0) / most));
    return { way: maskedWay(latent, from, way), goal: maskedWay(latent, from, () => goal)(0) };
  });
};

/** Samples step by step from level to level: what it has come to, and the same without the noise that is left. */
const run = async (parts: Parts, context: NodeContext): Promise<NodeResult> => {
  const { latent } = parts;
  const shares = sharesOf(parts.sigmas);
  const steps = shares.length - 1;
  if (steps < 1) return { values: [latent, latent] };
  const courses = coursesOf(parts, shares);
  await takeSteps(
    context,
    latent,
    courses.map(({ way }) => way),
    steps,
  );
  const ends = courses.map(({ way, goal }) => [way(steps), goal] as const);
  const output: Latent = {
    ...latent,
    samples: ends.map(([end]) => end),
    goals: shares[steps] === 0 ? undefined : new Map(ends),
  };
  const denoised: Latent = { ...latent, samples: ends.map(([, goal]) => goal), goals: undefined };
  return { values: [output, denoised] };
};

const sampling: Partial<NodeDescription> = {
  ...of,
  outputs: [
    { type: 'LATENT', name: 'output' },
    { type: 'LATENT', name: 'denoised_output' },
  ],
};

const samplerCustomAdvancedDefinition = define({
  ...{ ...sampling, name: 'SamplerCustomAdvanced', category: 'sampling/custom_sampling' },
  required: {
    ...{ noise: ['NOISE'], guider: ['GUIDER'], sampler: ['SAMPLER'], sigmas: ['SIGMAS'] },
    latent_image: ['LATENT'],
  },
});

const samplerCustomAdvanced: NodeClass = {
  definition: () => samplerCustomAdvancedDefinition,
  execute: async (inputs, context) =>
    run(
      {
        noise: noiseOf(inputs, 'noise'),
        guider: guiderOf(inputs, 'guider'),
        ...commonParts(inputs),
      },
      context,
    ),
};

const samplerCustomDefinition = define({
  ...{ ...sampling, name: 'SamplerCustom', category: 'sampling/custom_sampling' },
  required: {
    ...{ model: ['MODEL'], add_noise: ['BOOLEAN', { default: true }], noise_seed: noiseSeed, cfg },
    ...{ positive: ['CONDITIONING'], negative: ['CONDITIONING'] },
    ...{ sampler: ['SAMPLER'], sigmas: ['SIGMAS'], latent_image: ['LATENT'] },
  },
});

const samplerCustom: NodeClass = {
  definition: () => samplerCustomDefinition,
  execute: async (inputs, context) => {
    read.part(inputs, 'model', 'MODEL');
    const [positive, negative] = [
      read.conditioning(inputs, 'positive'),
      read.conditioning(inputs, 'negative'),
    ];
    const addsNoise = read.flag(inputs, 'add_noise');
    return run(
      {
        noise: { kind: 'NOISE', seed: addsNoise ? read.seed(inputs, 'noise_seed') : undefined },
        guider: { kind: 'GUIDER', positive, negative, cfg: read.number(inputs, 'cfg') },
        ...commonParts(inputs),
      },
      context,
    );
  },
};

const commonParts = (inputs: Inputs): Pick<Parts, 'sampler' | 'sigmas' | 'latent'> => ({
  sampler: samplerOf(inputs, 'sampler'),
  sigmas: read.sigmas(inputs, 'sigmas'),
  latent: read.latent(inputs, 'latent_image'),
});

/** The engine's classes that sample by parts: noise, a guider, a sampler and levels of noise. */
export const customSampling: readonly NodeClass[] = [samplerCustomAdvanced, samplerCustom];

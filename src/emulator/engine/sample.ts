import type { GridSize } from './values.js';
import { planScene } from './scene/plan-scene.js';
import { renderScene } from './scene/render-scene.js';
import { seededRandom } from './random.js';

/** What decides which picture of a batch a sampler comes to. */
export interface GoalOptions {
  readonly prompt: string;
  readonly negative: string;
  readonly seed: bigint;
  /** Place in the batch. */
  readonly index: number;
  readonly grid: GridSize;
  readonly steps: number;
  readonly cfg: number;
  readonly sampler: string;
  /** 1 makes a new picture; less keeps that much of the given one. */
  readonly denoise: number;
  readonly from: Float32Array;
}

/** The inputs of one picture of a batch. */
export interface SampleOptions extends GoalOptions {
  readonly scheduler: string;
}

/** The samples of a picture after each step; step 0 is the noise. */
export type Trajectory = (step: number) => Float32Array;

/**
 * Makes the trajectory from seeded noise to a picture.
 *
 * Every pixel moves monotonically, so each step is nearer to the last one than the step before. Prompt and seed
 * determine the picture, sampler and scheduler the pace; steps and cfg slightly change detail and contrast.
 */
export const sample = (options: SampleOptions): Trajectory => {
  const { steps, scheduler } = options;
  const goal = goalOf(options);
  return toward(goal, noisyOf(goal, options), (step) => noiseLeft(scheduler, step / steps));
};

/** What a sampler comes to: the picture of prompt and seed, as far as `denoise` replaces the given one. */
export const goalOf = (options: GoalOptions): Float32Array =>
  blend(options.from, sceneOf(options), options.denoise);

/** A goal under as much noise as is taken away from it. */
export const noisyOf = (goal: Float32Array, options: GoalOptions): Float32Array =>
  blend(goal, noiseOf(options), options.denoise);

/** The way from a start to a goal, by the share of the start that is left after each step. */
export const toward =
  (goal: Float32Array, start: Float32Array, left: (step: number) => number): Trajectory =>
  (step) => {
    const share = left(step);
    return share <= 0 ? goal : blend(goal, start, share);
  };

/** The share of its noise that a scheduler leaves at this share of its steps. */
export const noiseLeft = (scheduler: string, passed: number): number =>
  passed >= 1 ? 0 : (1 - passed) ** (paces.get(scheduler) ?? 1);

const sceneOf = ({ prompt, negative, seed, index, grid, steps, cfg, sampler }: GoalOptions): Float32Array => {
  const wander = sampler.includes('ancestral') || sampler.includes('sde') ? ` ${sampler}` : '';
  const own =
    index === 0 && wander === '' ? seed : BigInt.asUintN(64, seed + BigInt(index) * 0x9e3779b97f4a7c15n);
  return renderScene(planScene(`${prompt}${wander}`, negative, own), {
    ...grid,
    octaves: Math.max(1, Math.min(5, Math.round(1 + Math.log2(steps)))),
    contrast: 0.85 + Math.min(0.4, Math.max(0, cfg) * 0.022),
  });
};

/** Coarse blotches of colour under a fine grain, as previews of real samplers begin. */
const noiseOf = ({ seed, index, grid }: GoalOptions): Float32Array => {
  const random = seededRandom(seed, `noise ${index}`);
  const across = Math.ceil(grid.width / 8);
  const blotches = Float32Array.from({ length: across * Math.ceil(grid.height / 8) * 3 }, random);
  const samples = new Float32Array(grid.width * grid.height * 3);
  for (let y = 0, at = 0; y < grid.height; y += 1) {
    for (let x = 0; x < grid.width; x += 1) {
      const blotch = ((y >> 3) * across + (x >> 3)) * 3;
      for (let c = 0; c < 3; c += 1, at += 1)
        samples[at] = (blotches[blotch + c] ?? 0) * 150 + random() * 105;
    }
  }
  return samples;
};

const blend = (a: Float32Array, b: Float32Array, share: number): Float32Array => {
  if (share === 1) return b;
  const mixed = new Float32Array(a.length);
  for (let at = 0; at < a.length; at += 1) mixed[at] = (a[at] ?? 0) * (1 - share) + (b[at] ?? 0) * share;
  return mixed;
};

/** The exponent of a scheduler: above 1 it removes most of the noise early. */
const paces: ReadonlyMap<string, number> = new Map([
  ['normal', 1],
  ['simple', 1.15],
  ['karras', 1.6],
  ['exponential', 1.9],
  ['sgm_uniform', 0.9],
  ['beta', 1.3],
]);

/** Names of samplers, as combo options. */
export const samplerNames = [
  'euler',
  'euler_ancestral',
  'heun',
  'dpmpp_2m',
  'dpmpp_2m_sde',
  'ddim',
  'uni_pc',
] as const;

/** Names of schedulers, as combo options. */
export const schedulerNames = ['normal', 'karras', 'exponential', 'simple', 'sgm_uniform', 'beta'] as const;

/** Names of checkpoints, as combo options. */
export const checkpointNames = ['scenery-v1.safetensors', 'scenery-v2.safetensors'] as const;

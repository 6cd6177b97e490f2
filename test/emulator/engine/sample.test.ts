import { describe, expect, it } from 'vitest';
import {
  sample,
  type SampleOptions,
  samplerNames,
  schedulerNames,
} from '../../../src/emulator/engine/sample.js';

const grid = { width: 40, height: 24 };
const grey = new Float32Array(grid.width * grid.height * 3).fill(127.5);
const defaults: SampleOptions = {
  prompt: 'a sunset over the ocean',
  negative: '',
  seed: 1n,
  index: 0,
  grid,
  steps: 10,
  cfg: 7,
  sampler: 'euler',
  scheduler: 'normal',
  denoise: 1,
  from: grey,
};

const final = (options: Partial<SampleOptions> = {}): Float32Array => {
  const merged = { ...defaults, ...options };
  return sample(merged)(merged.steps);
};

const distance = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, index) => sum + Math.abs(value - b[index]!), 0) / a.length;

const distances = (options: Partial<SampleOptions>): readonly number[] => {
  const steps = options.steps ?? defaults.steps;
  const way = sample({ ...defaults, ...options });
  return Array.from({ length: steps + 1 }, (_, step) => distance(way(step), way(steps)));
};

const fallsToZero = (values: readonly number[]): boolean =>
  values.at(-1) === 0 && values.every((value, index) => index === 0 || value < values[index - 1]!);

describe('sample', () => {
  it('gives the same picture for the same options', () => {
    expect(final()).toEqual(final());
  });

  it.each<[string, Partial<SampleOptions>]>([
    ['prompt', { prompt: 'a forest' }],
    ['spelling of the prompt', { prompt: 'a sunset over the oceans' }],
    ['negative prompt', { negative: 'blurry' }],
    ['seed', { seed: 2n }],
    ['seed beyond 2^53', { seed: 1n + (1n << 60n) }],
    ['place in the batch', { index: 1 }],
    ['cfg', { cfg: 3 }],
    ['ancestral sampler', { sampler: 'euler_ancestral' }],
    ['denoise', { denoise: 0.5 }],
  ])('gives another picture for another %s', (_, options) => {
    expect(distance(final(options), final())).toBeGreaterThan(0.5);
  });

  it.each(schedulerNames)('comes nearer with every step of scheduler %s', (scheduler) => {
    expect(fallsToZero(distances({ scheduler, steps: 30 }))).toBe(true);
  });

  it.each(samplerNames)('comes nearer with every step of sampler %s', (sampler) => {
    expect(fallsToZero(distances({ sampler }))).toBe(true);
  });

  it.each([1, 2, 200])('comes nearer with each of %i steps', (steps) => {
    expect(fallsToZero(distances({ steps }))).toBe(true);
  });

  it('begins with noise that the seed decides', () => {
    const start = (seed: bigint) => sample({ ...defaults, seed })(0);
    expect(distance(start(1n), final())).toBeGreaterThan(30);
    expect(start(1n)).toEqual(start(1n));
    expect(start(1n)).not.toEqual(start(2n));
  });

  it('keeps more of the given picture the less it denoises', () => {
    const kept = [0.2, 0.5, 0.8, 1].map((denoise) => distance(final({ denoise }), grey));
    expect(kept.every((value, index) => index === 0 || value > kept[index - 1]!)).toBe(true);
  });

  it('ignores the given picture when it makes a new one', () => {
    expect(final({ from: new Float32Array(grey.length) })).toEqual(final());
  });

  it('keeps what it handed out when it goes on', () => {
    const way = sample(defaults);
    const third = way(3);
    const copy = third.slice();
    way(4);
    expect(third).toEqual(copy);
  });
});

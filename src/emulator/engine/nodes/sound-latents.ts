import { type Audio, type Latent } from '../values.js';
import { batchSize, nodeOf } from './node-of.js';
import { claimMemory } from '../define.js';
import { emptyLatentOf, formOf } from '../latent-form.js';
import type { InputSpec, NodeClass } from '../node-class.js';
import { type Inputs, read } from '../read.js';

const sampleRate = 44_100;
/** Samples of a sound for each place of its latent: of Stable Audio, and of ACE-Step, whose latent has one more edge. */
const [samplesOfStable, samplesOfAce] = [2048, 512 * 8];

const seconds = (usual: number): InputSpec => ['FLOAT', { default: usual, min: 1, max: 1000, step: 0.1 }];

/** As Python rounds: a half goes to the even neighbour. */
const rounded = (value: number): number => {
  const whole = Math.floor(value);
  return value - whole === 0.5 ? whole + (whole % 2) : Math.round(value);
};

const silent = (inputs: Inputs, shape: readonly number[]): readonly Latent[] => [
  emptyLatentOf({ type: 'audio', shape }, read.number(inputs, 'batch_size')),
];

/** Plays the columns of a latent one after another: the brighter one is, the higher its tone, which both sides hear differently loud. */
const soundOf = ({ grid, samples: [sample] }: Latent, length: number): Audio => {
  const columns = Array.from({ length: grid.width }, (_, x) =>
    columnOf(sample ?? new Float32Array(), grid, x),
  );
  const channels = [new Float32Array(length), new Float32Array(length)] as const;
  let phase = 0;
  for (let at = 0; at < length; at += 1) {
    const column = columns[Math.floor((at * grid.width) / length)];
    const [red, green, blue] = column ?? [0, 0, 0];
    phase += (2 * Math.PI * 110 * 2 ** (green / 85)) / sampleRate;
    const value = Math.sin(phase);
    channels[0][at] = (value * red) / 512;
    channels[1][at] = (value * blue) / 512;
  }
  return { kind: 'AUDIO', sampleRate, channels };
};

type Means = readonly [red: number, green: number, blue: number];

const columnOf = (sample: Float32Array, { width, height }: Latent['grid'], x: number): Means => {
  const means = [0, 0, 0] as [number, number, number];
  for (let y = 0; y < height; y += 1)
    for (const channel of [0, 1, 2] as const)
      means[channel] += (sample[(y * width + x) * 3 + channel] ?? 0) / height;
  return means;
};

/** The engine's classes for latents of sound. */
export const soundLatents: readonly NodeClass[] = [
  nodeOf(
    {
      ...{ name: 'EmptyLatentAudio', title: 'Empty Latent Audio', pythonModule: 'comfy_extras.nodes_audio' },
      category: 'latent/audio',
      required: { seconds: seconds(47.6), batch_size: batchSize },
      outputs: [{ type: 'LATENT' }],
    },
    (inputs) => {
      const length = rounded((read.number(inputs, 'seconds') * sampleRate) / samplesOfStable / 2) * 2;
      return silent(inputs, [64, length]);
    },
  ),
  nodeOf(
    {
      ...{ name: 'EmptyAceStepLatentAudio', pythonModule: 'comfy_extras.nodes_ace', style: 'new' },
      category: 'latent/audio',
      required: { seconds: seconds(120), batch_size: batchSize },
      outputs: [{ type: 'LATENT' }],
    },
    (inputs) => {
      const length = Math.floor((read.number(inputs, 'seconds') * sampleRate) / samplesOfAce);
      return silent(inputs, [8, 16, length]);
    },
  ),
  nodeOf(
    {
      ...{ name: 'VAEDecodeAudio', title: 'VAE Decode Audio', pythonModule: 'comfy_extras.nodes_audio' },
      category: 'latent/audio',
      required: { samples: ['LATENT'], vae: ['VAE'] },
      outputs: [{ type: 'AUDIO' }],
    },
    (inputs) => {
      read.part(inputs, 'vae', 'VAE');
      const latent = read.latent(inputs, 'samples');
      const { shape } = formOf(latent, 'audio');
      const length = (shape.at(-1) ?? 0) * (shape.length > 2 ? samplesOfAce : samplesOfStable);
      claimMemory(length * 2);
      return [soundOf(latent, length)];
    },
  ),
];

import type { Audio } from '../values.js';
import { encodeFlac } from '../files/flac.js';
import { fileMetadata } from './save.js';
import { type NodeClass, NodeFailure } from '../node-class.js';
import { define, instant } from '../define.js';
import { nodeOf } from './node-of.js';
import { type Inputs, read } from '../read.js';

const common = {
  pythonModule: 'comfy_extras.nodes_audio',
  category: 'audio',
  outputs: [{ type: 'AUDIO' }],
} as const;
const pair = { audio1: ['AUDIO'], audio2: ['AUDIO'] } as const;

/** A sound at another rate, straight from sample to sample. */
const atRate = ({ kind, sampleRate, channels }: Audio, rate: number): Audio => {
  if (rate === sampleRate) return { kind, sampleRate, channels };
  const resampled = channels.map((track) =>
    Float32Array.from({ length: Math.ceil((track.length * rate) / sampleRate) }, (_, at) => {
      const place = (at * sampleRate) / rate;
      const [before, part] = [Math.floor(place), place % 1];
      return (track[before] ?? 0) * (1 - part) + (track[before + 1] ?? track[before] ?? 0) * part;
    }),
  );
  return { kind, sampleRate: rate, channels: resampled };
};

const pairOf = (inputs: Inputs): readonly [Audio, Audio] => {
  const [one, other] = [read.audio(inputs, 'audio1'), read.audio(inputs, 'audio2')];
  const rate = Math.max(one.sampleRate, other.sampleRate);
  return [atRate(one, rate), atRate(other, rate)];
};

const lengthOf = ({ channels }: Audio): number => channels[0]?.length ?? 0;

const inStereo = ({ channels }: Audio): readonly Float32Array[] =>
  channels.length === 1 ? [...channels, ...channels] : channels;

const joined = (inputs: Inputs): Audio => {
  const [one, other] = pairOf(inputs);
  const [first, second] = read.text(inputs, 'direction') === 'before' ? [other, one] : [one, other];
  const [left, right] = [inStereo(first), inStereo(second)];
  const channels = left.map((track, at) => {
    const both = new Float32Array(lengthOf(first) + lengthOf(second));
    both.set(track);
    both.set(right[at] ?? [], lengthOf(first));
    return both;
  });
  return { kind: 'AUDIO', sampleRate: one.sampleRate, channels };
};

const merges: Readonly<Record<string, (one: number, other: number) => number>> = {
  add: (one, other) => one + other,
  mean: (one, other) => (one + other) / 2,
  subtract: (one, other) => one - other,
  multiply: (one, other) => one * other,
};

/** The second sound is cut, or followed by silence, and what is too loud is made softer as a whole. */
const merged = (inputs: Inputs): Audio => {
  const [one, other] = pairOf(inputs);
  const mix = merges[read.text(inputs, 'merge_method')] ?? ((given: number) => given);
  const tracks = one.channels.map((track, at) => {
    const second = other.channels[at] ?? other.channels[0];
    return track.map((value, place) => mix(value, second?.[place] ?? 0));
  });
  const loudest = tracks.reduce(
    (most, track) => track.reduce((top, value) => Math.max(top, Math.abs(value)), most),
    0,
  );
  const channels = loudest > 1 ? tracks.map((track) => track.map((value) => value / loudest)) : tracks;
  return { kind: 'AUDIO', sampleRate: one.sampleRate, channels };
};

const trimmed = (inputs: Inputs): Audio => {
  const audio = read.audio(inputs, 'audio');
  const length = lengthOf(audio);
  const frames = (seconds: number): number => Math.round(seconds * audio.sampleRate);
  const asked = read.number(inputs, 'start_index');
  const start = Math.max(0, Math.min(asked < 0 ? length + frames(asked) : frames(asked), length - 1));
  const end = Math.max(0, Math.min(start + frames(read.number(inputs, 'duration')), length));
  if (start >= end)
    throw new NodeFailure(
      'ValueError',
      'AudioTrim: Start time must be less than end time and be within the audio length.',
    );
  return { ...audio, channels: audio.channels.map((track) => track.slice(start, end)) };
};

const split = (inputs: Inputs): readonly Audio[] => {
  const audio = read.audio(inputs, 'audio');
  if (audio.channels.length !== 2)
    throw new NodeFailure('ValueError', 'AudioSplit: Input audio has only one channel.');
  return audio.channels.map((track) => ({ ...audio, channels: [track] }));
};

/** Plays a sound from a temporary file. */
const previewAudio: NodeClass = {
  definition: () => previewAudioDefinition,
  execute: instant((inputs, context) => {
    const bytes = encodeFlac(read.audio(inputs, 'audio'), fileMetadata(context));
    const file = context.save({ bytes, extension: 'flac', prefix: 'ComfyUI_temp', type: 'temp' });
    return { values: [], ui: { audio: [file] } };
  }),
};

const previewAudioDefinition = define({
  name: 'PreviewAudio',
  title: 'Preview Audio',
  pythonModule: 'comfy_extras.nodes_audio',
  category: 'audio',
  required: { audio: ['AUDIO'] },
  hidden: { prompt: 'PROMPT', extra_pnginfo: 'EXTRA_PNGINFO' },
  outputNode: true,
});

const anySeconds = 18_446_744_073_709_551_615n;

/** The engine's classes that change sounds, and the one that plays them. */
export const audioOperations: readonly NodeClass[] = [
  previewAudio,
  nodeOf(
    {
      ...{ ...common, name: 'AudioConcat', title: 'Audio Concat' },
      required: { ...pair, direction: [['after', 'before'], { default: 'after' }] },
    },
    (inputs) => [joined(inputs)],
  ),
  nodeOf(
    {
      ...{ ...common, name: 'AudioMerge', title: 'Audio Merge' },
      required: { ...pair, merge_method: [Object.keys(merges), {}] },
    },
    (inputs) => [merged(inputs)],
  ),
  nodeOf(
    {
      ...{ ...common, name: 'AudioAdjustVolume', title: 'Audio Adjust Volume' },
      required: { audio: ['AUDIO'], volume: ['INT', { default: 1, min: -100, max: 100 }] },
    },
    (inputs) => {
      const audio = read.audio(inputs, 'audio');
      const gain = 10 ** (read.number(inputs, 'volume') / 20);
      return [{ ...audio, channels: audio.channels.map((track) => track.map((value) => value * gain)) }];
    },
  ),
  nodeOf(
    {
      ...{ ...common, name: 'TrimAudioDuration', title: 'Trim Audio Duration' },
      required: {
        audio: ['AUDIO'],
        start_index: ['FLOAT', { default: 0, min: -anySeconds, max: anySeconds, step: 0.01 }],
        duration: ['FLOAT', { default: 60, min: 0, step: 0.01 }],
      },
    },
    (inputs) => [trimmed(inputs)],
  ),
  nodeOf(
    {
      ...{
        ...common,
        name: 'SplitAudioChannels',
        title: 'Split Audio Channels',
        required: { audio: ['AUDIO'] },
      },
      outputs: [
        { type: 'AUDIO', name: 'left' },
        { type: 'AUDIO', name: 'right' },
      ],
    },
    split,
  ),
];

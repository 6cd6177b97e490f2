import type { Audio } from '../values.js';
import { claimMemory, define, instant, ofTheEmulator } from '../define.js';
import type { NodeClass } from '../node-class.js';
import { read } from '../read.js';

/** Makes silence. */
export const emptyAudio: NodeClass = {
  definition: () => emptyAudioDefinition,
  execute: instant((inputs) => {
    const sampleRate = read.number(inputs, 'sample_rate');
    const length = Math.round(read.number(inputs, 'duration') * sampleRate);
    const tracks = read.number(inputs, 'channels');
    claimMemory(length * tracks);
    const channels = Array.from({ length: tracks }, () => new Float32Array(length));
    return { values: [{ kind: 'AUDIO', sampleRate, channels } satisfies Audio] };
  }),
};

const emptyAudioDefinition = define({
  name: 'EmptyAudio',
  pythonModule: 'comfy_extras.nodes_audio',
  title: 'Empty Audio',
  category: 'audio',
  required: {
    duration: ['FLOAT', { default: 60, min: 0, max: 18_446_744_073_709_551_615n, step: 0.01 }],
    sample_rate: ['INT', { default: 44_100 }],
    channels: ['INT', { default: 2, min: 1, max: 2 }],
  },
  outputs: [{ type: 'AUDIO' }],
});

/** Makes a tone that fades in and out. */
export const toneAudio: NodeClass = {
  definition: () => toneAudioDefinition,
  execute: instant((inputs) => {
    const shape = shapes.get(read.text(inputs, 'waveform')) ?? Math.sin;
    const frequency = read.number(inputs, 'frequency');
    const length = Math.round(read.number(inputs, 'duration') * sampleRate);
    const fade = Math.min(length / 2, sampleRate / 50);
    const track = Float32Array.from({ length }, (_, index) => {
      const envelope = Math.min(1, index / fade, (length - index) / fade);
      return 0.5 * envelope * shape((2 * Math.PI * frequency * index) / sampleRate);
    });
    return { values: [{ kind: 'AUDIO', sampleRate, channels: [track] } satisfies Audio] };
  }),
};

const sampleRate = 22_050;

const shapes: ReadonlyMap<string, (angle: number) => number> = new Map([
  ['sine', Math.sin],
  ['square', (angle: number) => Math.sign(Math.sin(angle)) * 0.6],
  ['triangle', (angle: number) => Math.asin(Math.sin(angle)) / (Math.PI / 2)],
]);

const toneAudioDefinition = define({
  name: 'ToneAudio',
  pythonModule: ofTheEmulator,
  category: 'audio',
  style: 'new',
  required: {
    frequency: ['FLOAT', { default: 440, min: 20, max: 10_000, step: 0.1, display: 'number' }],
    duration: ['FLOAT', { default: 1, min: 0.1, max: 30, step: 0.1 }],
    waveform: ['COMBO', { options: [...shapes.keys()], multiselect: false, default: 'sine' }],
  },
  outputs: [{ type: 'AUDIO' }],
});

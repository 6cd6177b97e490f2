import { define } from '../define.js';
import { instant } from '../instant.js';
import type { NodeClass } from '../node-class.js';
import { read } from '../read.js';
import type { Audio } from '../values.js';

/** Makes a tone that fades in and out. */
export const toneAudio: NodeClass = {
  definition: () => definition,
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

const definition = define({
  name: 'ToneAudio',
  category: 'audio',
  style: 'new',
  required: {
    frequency: ['FLOAT', { default: 440, min: 20, max: 10_000, step: 0.1, display: 'number' }],
    duration: ['FLOAT', { default: 1, min: 0.1, max: 30, step: 0.1 }],
    waveform: ['COMBO', { options: [...shapes.keys()], multiselect: false, default: 'sine' }],
  },
  outputs: [{ type: 'AUDIO' }],
});

import { define } from '../define.js';
import { instant } from '../instant.js';
import type { NodeClass } from '../node-class.js';
import { read } from '../read.js';
import type { Audio } from '../values.js';

/** Makes silence. */
export const emptyAudio: NodeClass = {
  definition: () => definition,
  execute: instant((inputs) => {
    const sampleRate = read.number(inputs, 'sample_rate', 22_050);
    const length = Math.round(read.number(inputs, 'duration') * sampleRate);
    const channels = Array.from(
      { length: read.number(inputs, 'channels', 2) },
      () => new Float32Array(length),
    );
    return { values: [{ kind: 'AUDIO', sampleRate, channels } satisfies Audio] };
  }),
};

const definition = define({
  name: 'EmptyAudio',
  title: 'Empty Audio',
  category: 'audio',
  required: { duration: ['FLOAT', { default: 2, min: 0, max: 60, step: 0.1 }] },
  optional: {
    sample_rate: ['INT', { default: 22_050, min: 8000, max: 96_000, advanced: true }],
    channels: ['INT', { default: 2, min: 1, max: 2 }],
  },
  outputs: [{ type: 'AUDIO' }],
});

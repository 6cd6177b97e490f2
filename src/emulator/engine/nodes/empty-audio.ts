import { define } from '../define.js';
import { instant } from '../instant.js';
import type { NodeClass } from '../node-class.js';
import { claimMemory } from '../memory.js';
import { read } from '../read.js';
import type { Audio } from '../values.js';

/** Makes silence. */
export const emptyAudio: NodeClass = {
  definition: () => definition,
  execute: instant((inputs) => {
    const sampleRate = read.number(inputs, 'sample_rate');
    const length = Math.round(read.number(inputs, 'duration') * sampleRate);
    const tracks = read.number(inputs, 'channels');
    claimMemory(length * tracks);
    const channels = Array.from({ length: tracks }, () => new Float32Array(length));
    return { values: [{ kind: 'AUDIO', sampleRate, channels } satisfies Audio] };
  }),
};

const definition = define({
  name: 'EmptyAudio',
  title: 'Empty Audio',
  category: 'audio',
  required: {
    duration: ['FLOAT', { default: 60, min: 0, max: 18446744073709551615, step: 0.01 }],
    sample_rate: ['INT', { default: 44_100 }],
    channels: ['INT', { default: 2, min: 1, max: 2 }],
  },
  outputs: [{ type: 'AUDIO' }],
});

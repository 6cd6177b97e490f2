import type { Workflow } from '../../../src/core/protocol/workflow.js';

/** Takes so many steps and saves a few samples of silence: a job with a file that costs the service almost nothing. */
export const shortSound = (seed: number, steps: number): Workflow => ({
  1: { class_type: 'EmptyAudio', inputs: { duration: 0.01, sample_rate: 8_000 + seed, channels: 1 } },
  2: { class_type: 'SlowNode', inputs: { steps, anything: ['1', 0] } },
  3: { class_type: 'SaveAudio', inputs: { audio: ['2', 0], filename_prefix: 'sound' } },
});

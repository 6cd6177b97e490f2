import { define } from '../define.js';
import { instant } from '../instant.js';
import type { NodeClass } from '../node-class.js';
import { read } from '../read.js';
import { checkpointNames } from '../samplers.js';
import type { ModelPart } from '../values.js';

/** Loads the three parts of a checkpoint. */
export const checkpointLoaderSimple: NodeClass = {
  definition: () => definition,
  execute: instant((inputs) => {
    const checkpoint = read.text(inputs, 'ckpt_name');
    const part = (kind: ModelPart['kind']): ModelPart => ({ kind, checkpoint });
    return { values: [part('MODEL'), part('CLIP'), part('VAE')] };
  }),
};

const definition = define({
  name: 'CheckpointLoaderSimple',
  title: 'Load Checkpoint',
  description: 'Loads a model with its text encoder and its image decoder.',
  category: 'loaders',
  required: { ckpt_name: [checkpointNames, { tooltip: 'The name of the checkpoint to load.' }] },
  outputs: [
    { type: 'MODEL', tooltip: 'Takes the noise away.' },
    { type: 'CLIP', tooltip: 'Encodes text.' },
    { type: 'VAE', tooltip: 'Turns pictures into latents and back.' },
  ],
});

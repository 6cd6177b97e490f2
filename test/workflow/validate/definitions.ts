import type { NodeDefinitions } from '../../../src/workflow/definitions.js';

type Specs = Readonly<Record<string, readonly unknown[]>>;

const node = (
  required: Specs,
  output: readonly unknown[],
  {
    optional = {},
    isOutput = false,
    hidden = {},
  }: { optional?: Specs; isOutput?: boolean; hidden?: object } = {},
) => ({ input: { required, optional, hidden }, output, output_node: isOutput });

/** A service with few classes, one or two for each rule. */
export const definitions: NodeDefinitions = {
  Loader: node({ ckpt_name: [['base.safetensors', 'sdxl/Base-XL.safetensors']] }, ['MODEL', 'CLIP', 'VAE']),
  Text: node({ text: ['STRING', { multiline: true }], clip: ['CLIP'] }, ['CONDITIONING']),
  Sampler: node(
    {
      model: ['MODEL'],
      seed: ['INT', { default: 0, min: 0, max: 2 ** 64 }],
      steps: ['INT', { default: 20, min: 1, max: 100 }],
      cfg: ['FLOAT', { default: 8, min: 0, max: 30, step: 0.1, round: 0.01 }],
      sampler_name: [['euler', 'heun'], { default: 'euler' }],
      positive: ['CONDITIONING'],
    },
    ['LATENT'],
    { optional: { denoise: ['FLOAT', { min: 0, max: 1 }] } },
  ),
  Decode: node({ samples: ['LATENT'], vae: ['VAE'] }, ['IMAGE']),
  Save: node({ images: ['IMAGE'] }, [], {
    optional: { prefix: ['STRING'] },
    isOutput: true,
    hidden: { prompt: 'PROMPT' },
  }),
  LoadImage: node({ image: [['a.png', 'b.png'], { image_upload: true }] }, ['IMAGE', 'MASK']),
  Invert: node({ image: ['IMAGE'] }, ['IMAGE']),
  /** An output node that passes its image on. */
  Preview: node({ images: ['IMAGE'] }, ['IMAGE'], { isOutput: true }),
  Nothing: node({}, ['IMAGE']),
  Sink: node({}, [], {
    isOutput: true,
    optional: {
      int: ['INT', { min: -5, max: 5 }],
      free: ['INT'],
      float: ['FLOAT', { min: -1.5, max: 1.5 }],
      string: ['STRING'],
      boolean: ['BOOLEAN'],
      choice: [['a', 'b', 'É', 1, 2.5, true]],
      empty: [[]],
      fresh: ['COMBO', { options: ['x', 'y'] }],
      tags: ['COMBO', { options: ['r', 'g', 'b'], multiselect: true }],
      far: ['COMBO', { remote: { route: '/models' } }],
      union: ['INT,FLOAT', { min: 0, max: 10 }],
      spaced: ['STRING, INT'],
      star: ['*'],
      image: ['IMAGE'],
      text: ['STRING', { min: 2 }],
      flag: ['BOOLEAN', { min: 1 }],
      loose: ['IMAGE', { max: 1 }],
    },
  }),
  Types: node({}, [
    'INT',
    'FLOAT',
    'STRING',
    'INT,FLOAT',
    '*',
    ['a', 'b', 'É', 1, 2.5, true],
    'COMBO',
    'IMAGE',
    'int',
    ['a'],
  ]),
  Both: {
    ...node({ x: ['INT', { max: 5 }] }, ['INT'], { optional: { x: ['FLOAT'], y: ['INT'] } }),
    output_node: true,
  },
  Dynamic: node(
    {
      mode: [
        'COMFY_DYNAMICCOMBO_V3',
        {
          options: [
            { key: 'plain', inputs: { required: {} } },
            {
              key: 'seeded',
              inputs: { required: { seed: ['INT', { max: 9 }] }, optional: { mask: ['MASK'] } },
            },
          ],
        },
      ],
      images: ['COMFY_AUTOGROW_V3', { template: { prefix: 'image', min: 1, max: 4 } }],
    },
    ['COMFY_MATCHTYPE_V3'],
    { isOutput: true },
  ),
};

/** A workflow without problems. */
export const picture = () => ({
  '4': { class_type: 'Loader', inputs: { ckpt_name: 'base.safetensors' } },
  '6': { class_type: 'Text', inputs: { text: 'a lighthouse', clip: ['4', 1] } },
  '3': {
    class_type: 'Sampler',
    inputs: { model: ['4', 0], seed: 5, steps: 20, cfg: 8, sampler_name: 'euler', positive: ['6', 0] },
  },
  '8': { class_type: 'Decode', inputs: { samples: ['3', 0], vae: ['4', 2] } },
  '9': { class_type: 'Save', inputs: { images: ['8', 0] } },
});

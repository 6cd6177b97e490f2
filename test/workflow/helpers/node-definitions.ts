/** Small node classes, made up for the tests: together they have every feature of a definition that a conversion reads. */
const node = (
  required: Record<string, unknown>,
  output: readonly unknown[] = [],
  more: { readonly optional?: Record<string, unknown>; readonly [name: string]: unknown } = {},
) => {
  const { optional, ...rest } = more;
  return {
    input: { required, ...(optional && { optional }) },
    input_order: { required: Object.keys(required), ...(optional && { optional: Object.keys(optional) }) },
    output,
    output_node: output.length === 0,
    ...rest,
  };
};

export const definitions = {
  Checkpoint: node({ ckpt: [['a.safetensors', 'b.safetensors']] }, ['MODEL', 'CLIP', 'VAE'], {
    display_name: 'Load Checkpoint',
  }),
  Encode: node({ text: ['STRING', { multiline: true, dynamicPrompts: true }], clip: ['CLIP'] }, [
    'CONDITIONING',
  ]),
  Latent: node({ width: ['INT', { default: 512, min: 16, step: 8 }], height: ['INT', { default: 512 }] }, [
    'LATENT',
  ]),
  Sampler: node(
    {
      model: ['MODEL'],
      seed: ['INT', { default: 0, control_after_generate: true }],
      steps: ['INT', { default: 20 }],
      cfg: ['FLOAT', { default: 8, min: 0, max: 100, step: 0.1, round: 0.01 }],
      sampler_name: [['euler', 'heun']],
      positive: ['CONDITIONING'],
      latent: ['LATENT'],
    },
    ['LATENT'],
  ),
  Decode: node({ samples: ['LATENT'], vae: ['VAE'] }, ['IMAGE']),
  SaveImage: node({ images: ['IMAGE'], filename_prefix: ['STRING', { default: 'out' }] }),
  LoadImage: node({ image: [['a.png'], { image_upload: true }], channel: [['red', 'blue']] }, [
    'IMAGE',
    'MASK',
  ]),
  Seeds: node(
    {
      noise_seed: ['INT', { default: 1 }],
      seed: ['INT', { default: 2, control_after_generate: false }],
      other: ['INT', { default: 3, control_after_generate: 'fixed' }],
      rate: ['FLOAT', { default: 0.5, control_after_generate: true }],
      last: ['STRING', { default: 'z' }],
    },
    ['INT'],
  ),
  Combos: node(
    {
      pick: [['one', 'two'], { control_after_generate: true }],
      far: ['COMBO', { remote: { route: '/x', refresh_button: true } }],
      near: ['COMBO', { remote: { route: '/y' } }],
      tags: ['COMBO', { options: ['a', 'b'], multi_select: { chip: true } }],
      empty: [[]],
      tail: ['INT', { default: 9 }],
    },
    ['STRING'],
  ),
  Force: node(
    {
      a: ['INT', { forceInput: true }],
      b: ['INT', { default: 7 }],
      c: ['STRING', { forceInput: true }],
      d: ['STRING', { default: 'x' }],
    },
    ['INT'],
    { optional: { e: [['p', 'q'], { forceInput: true }], h: ['INT', { default: 4, defaultInput: true }] } },
  ),
  Numbered: {
    ...node({ '1': ['INT', { default: 1 }], '10': ['INT', { default: 10 }], b: ['INT', { default: 2 }] }, [
      'INT',
    ]),
    input_order: { required: ['10', 'b', '1'] },
  },
  Text: node({ text: ['STRING', { default: 'hi' }], flag: ['BOOLEAN', {}], curve: ['CURVE'] }, ['STRING']),
  Mixed: node({ w: ['INT,FLOAT', { widgetType: 'FLOAT', default: 1.25 }], any: ['*'] }, ['*']),
  Swap: node({ a: ['IMAGE'], b: ['MASK'], c: ['IMAGE'], n: ['INT'] }, ['MASK', 'IMAGE', 'IMAGE', 'INT']),
  Many: node({ v: ['INT,FLOAT'] }, ['FLOAT']),
  Match: node({ on: ['BOOLEAN'], x: ['COMFY_MATCHTYPE_V3', {}], y: ['COMFY_MATCHTYPE_V3', {}] }, [
    'COMFY_MATCHTYPE_V3',
  ]),
  Grow: node(
    {
      images: [
        'COMFY_AUTOGROW_V3',
        { template: { input: { required: { image: ['IMAGE', {}] } }, prefix: 'image' } },
      ],
      blend: ['FLOAT', { default: 0.5 }],
    },
    ['IMAGE'],
  ),
  Dynamic: node(
    {
      mode: [
        'COMFY_DYNAMICCOMBO_V3',
        {
          options: [
            { key: 'none', inputs: { required: {} } },
            {
              key: 'seeded',
              inputs: {
                required: {
                  seed: ['INT', { control_after_generate: true }],
                  deeper: [
                    'COMFY_DYNAMICCOMBO_V3',
                    { options: [{ key: 'x', inputs: { required: { y: ['INT', { default: 3 }] } } }] },
                  ],
                },
                optional: { mask: ['MASK', {}] },
              },
            },
          ],
        },
      ],
      image: ['IMAGE'],
      after: ['STRING', { default: 'tail' }],
    },
    ['IMAGE'],
  ),
  Audio: node({ audio: [['s.flac'], { audio_upload: true }] }, ['AUDIO']),
  Int: node({ value: ['INT', {}] }, ['INT'], { display_name: 'Int' }),
};

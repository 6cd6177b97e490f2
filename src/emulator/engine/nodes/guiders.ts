import type { Conditioning } from '../values.js';
import type { InputSpec, NodeClass } from '../node-class.js';
import { joinedTexts } from './conditioning.js';
import { nodeOf } from './node-of.js';
import type { NodeDescription } from '../define.js';
import { type Inputs, read, tagged } from '../read.js';

/** The value of an output of type `GUIDER`: where a sampler goes, and how straight. */
export interface Guider {
  readonly kind: 'GUIDER';
  readonly positive: Conditioning;
  readonly negative: Conditioning;
  readonly cfg: number;
}

/** Reads a guider. */
export const guiderOf = (inputs: Inputs, name: string): Guider => tagged<Guider>(inputs, name, 'GUIDER');

const nothing: Conditioning = { kind: 'CONDITIONING', text: '' };
const conditioning: InputSpec = ['CONDITIONING'];

/** How far a sampler follows its text. */
export const cfg: InputSpec = ['FLOAT', { default: 8, min: 0, max: 100, step: 0.1, round: 0.01 }];

/** A class that makes a guider of a model and what it takes besides. */
const guiding = (
  description: Pick<NodeDescription, 'name'> & Partial<NodeDescription>,
  make: (inputs: Inputs) => Omit<Guider, 'kind'>,
): NodeClass =>
  nodeOf(
    {
      ...{ pythonModule: 'comfy_extras.nodes_custom_sampler', category: 'sampling/custom_sampling/guiders' },
      ...description,
      required: { model: ['MODEL'], ...description.required },
      outputs: [{ type: 'GUIDER' }],
    },
    (inputs) => {
      read.part(inputs, 'model', 'MODEL');
      return [{ kind: 'GUIDER', ...make(inputs) } satisfies Guider];
    },
  );

const byTwoTexts = (inputs: Inputs): Omit<Guider, 'kind'> => ({
  positive: read.conditioning(inputs, 'positive'),
  negative: read.conditioning(inputs, 'negative'),
  cfg: read.number(inputs, 'cfg'),
});

/** The engine's classes that make a guider for `SamplerCustomAdvanced`. */
export const guiders: readonly NodeClass[] = [
  guiding({ name: 'BasicGuider', required: { conditioning } }, (inputs) => ({
    ...{ positive: read.conditioning(inputs, 'conditioning'), negative: nothing, cfg: 1 },
  })),
  guiding(
    { name: 'CFGGuider', required: { positive: conditioning, negative: conditioning, cfg } },
    byTwoTexts,
  ),
  guiding(
    {
      name: 'DualCFGGuider',
      required: {
        ...{ cond1: conditioning, cond2: conditioning, negative: conditioning },
        ...{ cfg_conds: cfg, cfg_cond2_negative: cfg, style: [['regular', 'nested']] },
      },
    },
    (inputs) => ({
      positive: joinedTexts(read.conditioning(inputs, 'cond1'), read.conditioning(inputs, 'cond2')),
      negative: read.conditioning(inputs, 'negative'),
      cfg: read.number(inputs, 'cfg_conds'),
    }),
  ),
  guiding(
    {
      ...{ name: 'PerpNegGuider', style: 'new', category: '_for_testing', flags: { experimental: true } },
      pythonModule: 'comfy_extras.nodes_perpneg',
      required: {
        ...{ positive: conditioning, negative: conditioning, empty_conditioning: conditioning, cfg },
        neg_scale: ['FLOAT', { default: 1, min: 0, max: 100, step: 0.01 }],
      },
    },
    byTwoTexts,
  ),
];

import type { InputSpec, NodeClass } from '../node-class.js';
import { nodeOf, oneOf } from './node-of.js';
import type { NodeDescription } from '../define.js';
import { type Inputs, read, tagged } from '../read.js';
import { samplerNames } from '../sample.js';

/** The value of an output of type `SAMPLER`: how each step is made, by its name. */
export interface Sampler {
  readonly kind: 'SAMPLER';
  readonly name: string;
}

/** Reads a sampler. */
export const samplerOf = (inputs: Inputs, name: string): Sampler => tagged<Sampler>(inputs, name, 'SAMPLER');

const float = (usual: number, max = 100): InputSpec => [
  'FLOAT',
  { default: usual, min: 0, max, step: 0.01, round: false },
];
const device: InputSpec = [['gpu', 'cpu']];
const both = { eta: float(1), s_noise: float(1) };

const older: Partial<NodeDescription> = {
  pythonModule: 'comfy_extras.nodes_custom_sampler',
  category: 'sampling/custom_sampling/samplers',
};
const advanced: Partial<NodeDescription> = {
  style: 'new',
  pythonModule: 'comfy_extras.nodes_advanced_samplers',
};

/** A class by the sampler that it makes; its settings matter to a model only. */
const making = (
  name: string,
  required: Readonly<Record<string, InputSpec>>,
  samplerFor: string | ((inputs: Inputs) => string),
  more: Partial<NodeDescription> = {},
): NodeClass =>
  nodeOf(
    { category: '', ...older, ...more, name, required, outputs: [{ type: 'SAMPLER' }] },
    (inputs): readonly Sampler[] => [
      { kind: 'SAMPLER', name: typeof samplerFor === 'string' ? samplerFor : samplerFor(inputs) },
    ],
  );

/** The name of a sampler that has its noise made on the GPU, unless the processor is chosen. */
const onDevice =
  (name: string) =>
  (inputs: Inputs): string =>
    read.text(inputs, 'noise_device') === 'cpu' ? name : `${name}_gpu`;

/** The engine's classes that make a sampler for `SamplerCustomAdvanced` and `SamplerCustom`. */
export const samplerObjects: readonly NodeClass[] = [
  making('KSamplerSelect', { sampler_name: [samplerNames] }, (inputs) => read.text(inputs, 'sampler_name')),
  making('SamplerEulerAncestral', both, 'euler_ancestral'),
  making(
    'SamplerEulerAncestralCFGPP',
    { eta: float(1, 1), s_noise: float(1, 10) },
    'euler_ancestral_cfg_pp',
    {
      title: 'SamplerEulerAncestralCFG++',
    },
  ),
  making('SamplerLMS', { order: ['INT', { default: 4, min: 1, max: 100 }] }, 'lms'),
  making('SamplerDPMPP_2S_Ancestral', both, 'dpmpp_2s_ancestral'),
  making(
    'SamplerDPMPP_2M_SDE',
    { solver_type: [['midpoint', 'heun']], ...both, noise_device: device },
    onDevice('dpmpp_2m_sde'),
  ),
  making('SamplerDPMPP_3M_SDE', { ...both, noise_device: device }, onDevice('dpmpp_3m_sde')),
  making('SamplerDPMPP_SDE', { ...both, r: float(0.5), noise_device: device }, onDevice('dpmpp_sde')),
  making(
    'SamplerDPMAdaptative',
    {
      order: ['INT', { default: 3, min: 2, max: 3 }],
      ...{ rtol: float(0.05), atol: float(0.0078), h_init: float(0.05) },
      ...{ pcoeff: float(0), icoeff: float(1), dcoeff: float(0), accept_safety: float(0.81) },
      ...{ eta: float(0), s_noise: float(1) },
    },
    'dpm_adaptive',
  ),
  making(
    'SamplerER_SDE',
    {
      solver_type: ['COMBO', { options: ['ER-SDE', 'Reverse-time SDE', 'ODE'] }],
      max_stage: ['INT', { default: 3, min: 1, max: 3 }],
      eta: ['FLOAT', { ...float(1)[1], tooltip: 'How random the steps are; 0 for not at all.' }],
      s_noise: float(1),
    },
    'er_sde',
  ),
  making('SamplerEulerCFGpp', { version: oneOf('regular', 'alternative') }, 'euler_cfg_pp', {
    ...{ ...advanced, title: 'SamplerEulerCFG++', category: '_for_testing' },
    flags: { experimental: true },
  }),
  making(
    'SamplerLCMUpscale',
    {
      scale_ratio: ['FLOAT', { default: 1, min: 0.1, max: 20, step: 0.01 }],
      scale_steps: ['INT', { default: -1, min: -1, max: 1000, step: 1 }],
      upscale_method: oneOf('bislerp', 'nearest-exact', 'bilinear', 'area', 'bicubic'),
    },
    'lcm',
    advanced,
  ),
];

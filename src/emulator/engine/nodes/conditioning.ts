import type { Conditioning } from '../values.js';
import { type Inputs, read } from '../read.js';
import type { InputSpec, NodeClass, Value } from '../node-class.js';
import type { NodeDescription } from '../define.js';
import { nodeOf, oneOf, pixels, share } from './node-of.js';

type Described = Omit<NodeDescription, 'outputs' | 'category'> & { readonly category?: string };

const conditioning: InputSpec = ['CONDITIONING'];

const nodeOfOne = (described: Described, make: (inputs: Inputs) => Value): NodeClass =>
  nodeOf({ category: 'conditioning', ...described, outputs: [{ type: 'CONDITIONING' }] }, (inputs) => [
    make(inputs),
  ]);

/** A class whose settings matter to a model's sampler only: the emulator's draws the text as it is. */
const tuned = (name: string, settings: Readonly<Record<string, InputSpec>>, more: Partial<Described> = {}) =>
  nodeOfOne({ name, ...more, required: { conditioning, ...settings } }, (inputs) =>
    read.conditioning(inputs, 'conditioning'),
  );

/** A class that does so to both texts of a sampler. */
const tunedPair = (name: string, settings: Readonly<Record<string, InputSpec>>, more: Partial<Described>) =>
  nodeOf(
    {
      ...{ category: 'conditioning', ...more, name },
      required: { positive: conditioning, negative: conditioning, ...settings },
      outputs: [
        { type: 'CONDITIONING', name: 'positive' },
        { type: 'CONDITIONING', name: 'negative' },
      ],
    },
    (inputs) => [read.conditioning(inputs, 'positive'), read.conditioning(inputs, 'negative')],
  );

/** What two texts show together. */
export const joinedTexts = (one: Conditioning, other: Conditioning): Conditioning => ({
  ...one,
  text: [one.text, other.text].filter((text) => text !== '').join(', '),
});

const toAndFrom = (inputs: Inputs): readonly [to: Conditioning, from: Conditioning] => [
  read.conditioning(inputs, 'conditioning_to'),
  read.conditioning(inputs, 'conditioning_from'),
];

const strength: InputSpec = ['FLOAT', { default: 1, min: 0, max: 10, step: 0.01 }];
const moment = (usual: number): InputSpec => ['FLOAT', { default: usual, min: 0, max: 1, step: 0.001 }];
const seconds = (usual: number): InputSpec => ['FLOAT', { default: usual, min: 0, max: 1000, step: 0.1 }];
const place = { x: pixels(0, 0, 8), y: pixels(0, 0, 8) };
const shares = { width: share(1), height: share(1) };

const flux: Partial<Described> = {
  ...{ style: 'new', pythonModule: 'comfy_extras.nodes_flux' },
  category: 'advanced/conditioning/flux',
};

/** The engine's classes that join texts or tell a model more about them; the emulator's sampler knows the joined text. */
export const conditionings: readonly NodeClass[] = [
  nodeOfOne(
    {
      ...{ name: 'ConditioningCombine', title: 'Conditioning (Combine)' },
      required: { conditioning_1: conditioning, conditioning_2: conditioning },
    },
    (inputs) =>
      joinedTexts(read.conditioning(inputs, 'conditioning_1'), read.conditioning(inputs, 'conditioning_2')),
  ),
  nodeOfOne(
    {
      ...{ name: 'ConditioningConcat', title: 'Conditioning (Concat)' },
      required: { conditioning_to: conditioning, conditioning_from: conditioning },
    },
    (inputs) => joinedTexts(...toAndFrom(inputs)),
  ),
  nodeOfOne(
    {
      name: 'ConditioningAverage',
      required: {
        ...{ conditioning_to: conditioning, conditioning_from: conditioning },
        conditioning_to_strength: share(1),
      },
    },
    (inputs) => {
      const [to, from] = toAndFrom(inputs);
      const part = read.number(inputs, 'conditioning_to_strength');
      return part >= 1 ? to : part <= 0 ? from : joinedTexts(to, from);
    },
  ),
  nodeOfOne(
    {
      ...{ name: 'ConditioningZeroOut', category: 'advanced/conditioning' },
      required: { conditioning },
    },
    (inputs) => ({ ...read.conditioning(inputs, 'conditioning'), text: '' }),
  ),
  tuned(
    'ConditioningSetArea',
    { width: pixels(64, 64, 8), height: pixels(64, 64, 8), ...place, strength },
    { title: 'Conditioning (Set Area)' },
  ),
  tuned(
    'ConditioningSetAreaPercentage',
    { ...shares, x: share(0), y: share(0), strength },
    { title: 'Conditioning (Set Area with Percentage)' },
  ),
  tuned(
    'ConditioningSetAreaPercentageVideo',
    { ...shares, temporal: share(1), x: share(0), y: share(0), z: share(0), strength },
    { pythonModule: 'comfy_extras.nodes_video_model' },
  ),
  tuned('ConditioningSetAreaStrength', { strength }),
  tuned(
    'ConditioningSetMask',
    { mask: ['MASK'], strength, set_cond_area: [['default', 'mask bounds']] },
    { title: 'Conditioning (Set Mask)' },
  ),
  tuned(
    'ConditioningSetTimestepRange',
    { start: moment(0), end: moment(1) },
    { category: 'advanced/conditioning' },
  ),
  tuned('FluxGuidance', { guidance: ['FLOAT', { default: 3.5, min: 0, max: 100, step: 0.1 }] }, flux),
  tuned('FluxDisableGuidance', {}, { ...flux, description: 'Has a model go without guidance.' }),
  tuned(
    'FluxKontextMultiReferenceLatentMethod',
    { reference_latents_method: oneOf('offset', 'index', 'uxo/uno') },
    { ...flux, flags: { experimental: true } },
  ),
  tuned(
    'ReferenceLatent',
    {},
    {
      ...{ style: 'new', pythonModule: 'comfy_extras.nodes_edit_model' },
      category: 'advanced/conditioning/edit_models',
      description: 'Gives a model that edits a latent to go by.',
      optional: { latent: ['LATENT', {}] },
    },
  ),
  tuned(
    'StableCascade_StageB_Conditioning',
    { stage_c: ['LATENT', {}] },
    {
      style: 'new',
      pythonModule: 'comfy_extras.nodes_stable_cascade',
      category: 'conditioning/stable_cascade',
    },
  ),
  tunedPair(
    'ConditioningStableAudio',
    { seconds_start: seconds(0), seconds_total: seconds(47) },
    { pythonModule: 'comfy_extras.nodes_audio' },
  ),
  tunedPair(
    'LTXVConditioning',
    { frame_rate: ['FLOAT', { default: 25, min: 0, max: 1000, step: 0.01 }] },
    { style: 'new', pythonModule: 'comfy_extras.nodes_lt', category: 'conditioning/video_models' },
  ),
];

import { type Inputs, isGiven, read, tagged } from '../read.js';
import { hooksOf } from './hooks.js';
import type { InputSpec, NodeClass } from '../node-class.js';
import { joinedTexts } from './conditioning.js';
import { nodeOf } from './node-of.js';
import type { NodeDescription } from '../define.js';

/** The value of an output of type `TIMESTEPS_RANGE`: from which share of the steps to which. */
interface TimestepsRange {
  readonly kind: 'TIMESTEPS_RANGE';
  readonly start: number;
  readonly end: number;
}

const text: InputSpec = ['CONDITIONING'];
const part = (usual: number): InputSpec => ['FLOAT', { default: usual, min: 0, max: 1, step: 0.001 }];

const common = { pythonModule: 'comfy_extras.nodes_hooks', flags: { experimental: true } } as const;
const hooks = { hooks: ['HOOKS'] } as const;
const properties = {
  required: {
    strength: ['FLOAT', { default: 1, min: 0, max: 10, step: 0.01 }],
    set_cond_area: [['default', 'mask bounds']],
  },
  optional: { mask: ['MASK'], ...hooks, timesteps: ['TIMESTEPS_RANGE'] },
} as const;

/** Checks what a text is tuned by; the emulator's sampler draws it as it is. */
const checkTuning = (inputs: Inputs): void => {
  hooksOf(inputs, 'hooks');
  if (isGiven(inputs, 'mask')) read.mask(inputs, 'mask');
  if (isGiven(inputs, 'timesteps')) tagged<TimestepsRange>(inputs, 'timesteps', 'TIMESTEPS_RANGE');
};

/** A class by the inputs that each of its outputs joins: one output for a single text, two for what to show and what not. */
const joining = (
  name: string,
  title: string,
  joins: readonly (readonly string[])[],
  settings: Pick<NodeDescription, 'required' | 'optional'> = {},
): NodeClass => {
  const isPair = joins.length === 2;
  const texts = [0, 1].flatMap((place) => joins.flatMap((names) => names[place] ?? []));
  return nodeOf(
    {
      ...{ ...common, name, title, category: `advanced/hooks/cond ${isPair ? 'pair' : 'single'}` },
      required: {
        ...Object.fromEntries(texts.map((input) => [input, text] as const)),
        ...settings.required,
      },
      ...(settings.optional && { optional: settings.optional }),
      outputs: isPair
        ? ['positive', 'negative'].map((output) => ({ type: 'CONDITIONING', name: output }))
        : [{ type: 'CONDITIONING' }],
    },
    (inputs) => {
      checkTuning(inputs);
      return joins.map((names) => names.map((input) => read.conditioning(inputs, input)).reduce(joinedTexts));
    },
  );
};

/** The engine's classes that give texts hooks, places and times, and join them with others. */
export const hookedConditionings: readonly NodeClass[] = [
  joining('PairConditioningCombine', 'Cond Pair Combine', [
    ['positive_A', 'positive_B'],
    ['negative_A', 'negative_B'],
  ]),
  joining(
    ...(['PairConditioningSetDefaultCombine', 'Cond Pair Set Default Combine'] as const),
    [
      ['positive', 'positive_DEFAULT'],
      ['negative', 'negative_DEFAULT'],
    ],
    { optional: hooks },
  ),
  joining(
    ...(['PairConditioningSetProperties', 'Cond Pair Set Props'] as const),
    [['positive_NEW'], ['negative_NEW']],
    properties,
  ),
  joining(
    ...(['PairConditioningSetPropertiesAndCombine', 'Cond Pair Set Props Combine'] as const),
    [
      ['positive', 'positive_NEW'],
      ['negative', 'negative_NEW'],
    ],
    properties,
  ),
  joining(
    ...(['ConditioningSetDefaultCombine', 'Cond Set Default Combine'] as const),
    [['cond', 'cond_DEFAULT']],
    { optional: hooks },
  ),
  joining(...(['ConditioningSetProperties', 'Cond Set Props'] as const), [['cond_NEW']], properties),
  joining(
    ...(['ConditioningSetPropertiesAndCombine', 'Cond Set Props Combine'] as const),
    [['cond', 'cond_NEW']],
    properties,
  ),
  nodeOf(
    {
      ...{ ...common, name: 'ConditioningTimestepsRange', title: 'Timesteps Range' },
      category: 'advanced/hooks',
      required: { start_percent: part(0), end_percent: part(1) },
      outputs: ['TIMESTEPS_RANGE', 'BEFORE_RANGE', 'AFTER_RANGE'].map((name) => ({
        type: 'TIMESTEPS_RANGE',
        name,
      })),
    },
    (inputs) => {
      const [start, end] = [read.number(inputs, 'start_percent'), read.number(inputs, 'end_percent')];
      return [rangeOf(start, end), rangeOf(0, start), rangeOf(end, 1)];
    },
  ),
];

const rangeOf = (start: number, end: number): TimestepsRange => ({ kind: 'TIMESTEPS_RANGE', start, end });

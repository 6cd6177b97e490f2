import type { InputSpec, NodeClass } from '../node-class.js';
import { NodeFailure } from '../node-class.js';
import { type Inputs, isGiven, read, tagged } from '../read.js';
import { nodeOf } from './node-of.js';

/** The value of an output of type `HOOK_KEYFRAMES`: how strong hooks are from which share of the steps on, in their order. */
export interface HookKeyframes {
  readonly kind: 'HOOK_KEYFRAMES';
  readonly keyframes: readonly Keyframe[];
}

interface Keyframe {
  readonly strength: number;
  readonly startPercent: number;
}

/** Reads keyframes. */
export const keyframesOf = (inputs: Inputs, name: string): HookKeyframes =>
  tagged<HookKeyframes>(inputs, name, 'HOOK_KEYFRAMES');

/** Adds keyframes to those that come before, in the order of their beginnings. */
const added = (inputs: Inputs, more: readonly Keyframe[]): readonly HookKeyframes[] => {
  const before = isGiven(inputs, 'prev_hook_kf') ? keyframesOf(inputs, 'prev_hook_kf').keyframes : [];
  const keyframes = [...before, ...more].toSorted((one, other) => one.startPercent - other.startPercent);
  return [{ kind: 'HOOK_KEYFRAMES', keyframes }];
};

/** One keyframe for each strength, in even steps between the two shares. */
const spread = (inputs: Inputs, strengths: readonly number[]): readonly Keyframe[] => {
  const [start, end] = [read.number(inputs, 'start_percent'), read.number(inputs, 'end_percent')];
  const step = strengths.length < 2 ? 0 : (end - start) / (strengths.length - 1);
  return strengths.map((strength, at) => ({ strength, startPercent: start + at * step }));
};

/** How the strength passes from its start to its end. */
const interpolations: Readonly<Record<string, (share: number) => number>> = {
  linear: (share) => share,
  ease_in: (share) => share ** 2,
  ease_out: (share) => 1 - (1 - share) ** 2,
  ease_in_out: (share) => (1 - Math.cos(share * Math.PI)) / 2,
};

const interpolated = (inputs: Inputs): readonly number[] => {
  const [start, end] = [read.number(inputs, 'strength_start'), read.number(inputs, 'strength_end')];
  const count = read.number(inputs, 'keyframes_count');
  const shape = interpolations[read.text(inputs, 'interpolation')] ?? ((share: number) => share);
  return Array.from({ length: count }, (_, at) => start + (end - start) * shape(at / (count - 1)));
};

const floatsOf = (inputs: Inputs): readonly number[] => {
  const given = inputs['floats_strength'];
  const floats = Array.isArray(given) ? given.map(Number) : [given];
  const isRight = floats.every((value): value is number => typeof value === 'number' && !Number.isNaN(value));
  if (isRight) return floats;
  throw new NodeFailure(
    'Exception',
    `floats_strength must be either an iterable input or a float, but was ${typeof given}.`,
  );
};

const part = (usual: number): InputSpec => ['FLOAT', { default: usual, min: 0, max: 1, step: 0.001 }];
const strength: InputSpec = ['FLOAT', { default: 1, min: 0, max: 10, step: 0.001 }];
const between = { start_percent: part(0), end_percent: part(1) };
const print: InputSpec = ['BOOLEAN', { default: false }];

const description = {
  pythonModule: 'comfy_extras.nodes_hooks',
  category: 'advanced/hooks/scheduling',
  optional: { prev_hook_kf: ['HOOK_KEYFRAMES'] },
  outputs: [{ type: 'HOOK_KEYFRAMES', name: 'HOOK_KF' }],
  flags: { experimental: true },
} as const;

/** The engine's classes that say how strong hooks are at which part of the steps. */
export const hookKeyframes: readonly NodeClass[] = [
  nodeOf(
    {
      ...{ ...description, name: 'CreateHookKeyframe', title: 'Create Hook Keyframe' },
      required: {
        strength_mult: ['FLOAT', { default: 1, min: -20, max: 20, step: 0.01 }],
        start_percent: part(0),
      },
    },
    (inputs) =>
      added(inputs, [
        {
          strength: read.number(inputs, 'strength_mult'),
          startPercent: read.number(inputs, 'start_percent'),
        },
      ]),
  ),
  nodeOf(
    {
      ...{ ...description, name: 'CreateHookKeyframesInterpolated', title: 'Create Hook Keyframes Interp.' },
      required: {
        ...{ strength_start: strength, strength_end: strength },
        ...{ interpolation: [Object.keys(interpolations)], ...between },
        ...{ keyframes_count: ['INT', { default: 5, min: 2, max: 100, step: 1 }], print_keyframes: print },
      },
    },
    (inputs) => added(inputs, spread(inputs, interpolated(inputs))),
  ),
  nodeOf(
    {
      ...{
        ...description,
        name: 'CreateHookKeyframesFromFloats',
        title: 'Create Hook Keyframes From Floats',
      },
      required: {
        floats_strength: ['FLOATS', { default: -1, min: -1, step: 0.001, forceInput: true }],
        ...{ ...between, print_keyframes: print },
      },
    },
    (inputs) => added(inputs, spread(inputs, floatsOf(inputs))),
  ),
];

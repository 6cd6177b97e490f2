import { checkpointNames } from '../sample.js';
import { define, type NodeDescription } from '../define.js';
import { type HookKeyframes, keyframesOf } from './hook-keyframes.js';
import type { InputSpec, NodeClass } from '../node-class.js';
import { NodeFailure } from '../node-class.js';
import { type Inputs, isGiven, read, tagged } from '../read.js';
import { nodeOf } from './node-of.js';

/** The value of an output of type `HOOKS`: what changes a model while it runs; the emulator's sampler draws the same with them. */
export interface Hooks {
  readonly kind: 'HOOKS';
  readonly hooks: readonly Hook[];
}

interface Hook {
  readonly checkpoint: string;
  readonly strengthOfModel: number;
  readonly strengthOfClip: number;
  readonly keyframes?: HookKeyframes['keyframes'];
}

/** Reads hooks where they are given; a socket for them may be left empty, or be fed by a class that has none. */
export const hooksOf = (inputs: Inputs, name: string): Hooks | undefined =>
  isGiven(inputs, name) ? tagged<Hooks>(inputs, name, 'HOOKS') : undefined;

const common = {
  pythonModule: 'comfy_extras.nodes_hooks',
  outputs: [{ type: 'HOOKS' }],
  flags: { experimental: true },
} as const;

const strength: InputSpec = ['FLOAT', { default: 1, min: -20, max: 20, step: 0.01 }];

/** All hooks of the inputs one after another; null if none has any, as the engine hands on. */
const together = (all: readonly (Hooks | undefined)[]): readonly (Hooks | null)[] => {
  const hooks = all.flatMap((each) => each?.hooks ?? []);
  return [hooks.length === 0 ? null : { kind: 'HOOKS', hooks }];
};

/** A class that joins the hooks of so many inputs, each of which may be left empty. */
const combining = (count: number): NodeClass => {
  const names = 'ABCDEFGH'
    .slice(0, count)
    .split('')
    .map((letter) => `hooks_${letter}`);
  return nodeOf(
    {
      ...{ ...common, name: `CombineHooks${count}`, title: `Combine Hooks [${count}]` },
      category: 'advanced/hooks/combine',
      optional: Object.fromEntries(names.map((name) => [name, ['HOOKS']] as const)),
    },
    (inputs) => together(names.map((name) => hooksOf(inputs, name))),
  );
};

const modelAsLora = (checkpoints: readonly string[]): NodeDescription => ({
  ...{ ...common, name: 'CreateHookModelAsLora', title: 'Create Hook Model as LoRA' },
  category: 'advanced/hooks/create',
  required: { ckpt_name: [checkpoints], strength_model: strength, strength_clip: strength },
  optional: { prev_hooks: ['HOOKS'] },
});

const createHookModelAsLora: NodeClass = {
  ...nodeOf(modelAsLora(checkpointNames), (inputs) => {
    const hook: Hook = {
      checkpoint: read.text(inputs, 'ckpt_name'),
      strengthOfModel: read.number(inputs, 'strength_model'),
      strengthOfClip: read.number(inputs, 'strength_clip'),
    };
    return together([hooksOf(inputs, 'prev_hooks'), { kind: 'HOOKS', hooks: [hook] }]);
  }),
  definition: ({ checkpoints = checkpointNames }) => define(modelAsLora(checkpoints)),
};

/** The engine's classes that make hooks of a checkpoint, join them, and say when they are how strong. */
export const hookClasses: readonly NodeClass[] = [
  createHookModelAsLora,
  nodeOf(
    {
      ...{ ...common, name: 'SetHookKeyframes', title: 'Set Hook Keyframes' },
      category: 'advanced/hooks/scheduling',
      required: { hooks: ['HOOKS'] },
      optional: { hook_kf: ['HOOK_KEYFRAMES'] },
    },
    (inputs) => {
      const given = hooksOf(inputs, 'hooks');
      if (!isGiven(inputs, 'hook_kf')) return [given ?? null];
      const { keyframes } = keyframesOf(inputs, 'hook_kf');
      if (given === undefined)
        throw new NodeFailure('AttributeError', "'NoneType' object has no attribute 'clone'");
      return [{ ...given, hooks: given.hooks.map((hook) => ({ ...hook, keyframes })) } satisfies Hooks];
    },
  ),
  combining(2),
  combining(4),
  combining(8),
];

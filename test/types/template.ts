import { type NodeDefinitions, template } from 'promptwire/workflow';
import type { Equal, Expect } from './equal.js';
import type { Workflow } from 'promptwire';

declare const workflow: Workflow;
declare const definitions: NodeDefinitions;

const known = {
  KSampler: {
    input: {
      required: { seed: ['INT', { min: 0 }], sampler_name: [['euler', 'heun']], model: ['MODEL'] },
      optional: { denoise: ['FLOAT'], on: ['BOOLEAN'] },
    },
  },
  LoadImage: { input: { required: { image: [['a.png'], { image_upload: true }] } } },
} as const;

const targets = {
  prompt: 'Positive.text',
  seed: 'KSampler.seed',
  sampler: { class: 'KSampler', input: 'sampler_name' },
  denoise: { class: 'KSampler', input: 'denoise', optional: true },
  on: 'KSampler.on',
  picture: 'LoadImage.image',
} as const;

const filled = (make = template(workflow, targets, known)) => {
  if (make._tag === 'Left') throw make.left;
  return make.right;
};

const loose = (
  make = template(workflow, { prompt: 'Positive.text', seed: 'KSampler.seed' }, definitions),
) => {
  if (make._tag === 'Left') throw make.left;
  return make.right;
};

type InputsOf<Make extends (...args: never) => unknown> = Parameters<Make>[0];
type Filled = InputsOf<ReturnType<typeof filled>>;

/** Members have the types of the class where the definitions are literal. */
export type Typed = [
  Expect<Equal<Filled['prompt'], unknown>>,
  Expect<Equal<Filled['seed'], number | bigint>>,
  Expect<Equal<Filled['sampler'], 'euler' | 'heun'>>,
  Expect<Equal<Filled['denoise'], number | undefined>>,
  Expect<Equal<Filled['on'], boolean>>,
  Expect<Equal<Filled['picture'], string>>,
  Expect<Equal<keyof InputsOf<ReturnType<typeof loose>>, 'prompt' | 'seed'>>,
];

export const accepted = () => [
  filled()({ prompt: 'a', seed: 1n, sampler: 'heun', on: true, picture: 'mine.png' }),
  loose()({ prompt: 'a', seed: 1 }),
];

export const refused: readonly (() => unknown)[] = [
  // @ts-expect-error -- the seed is missing
  () => loose()({ prompt: 'a' }),
  // @ts-expect-error -- there is no such input
  () => loose()({ prompt: 'a', seed: 1, sede: 1 }),
  // @ts-expect-error -- no such sampler
  () => filled()({ prompt: 'a', seed: 1, sampler: 'eular', on: true, picture: '' }),
  // @ts-expect-error -- a seed is a number
  () => filled()({ prompt: 'a', seed: '1', sampler: 'heun', on: true, picture: '' }),
];

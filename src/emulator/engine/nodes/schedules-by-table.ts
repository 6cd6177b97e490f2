import { gitsLevels } from './gits-levels.js';
import { type InputSpec, type NodeClass, NodeFailure } from '../node-class.js';
import { type Inputs, read } from '../read.js';
import { nodeOf, oneOf, share } from './node-of.js';
import type { Sigmas } from '../values.js';

const description = {
  style: 'new',
  category: 'sampling/custom_sampling/schedulers',
  outputs: [{ type: 'SIGMAS' }],
} as const;

const sigmasOf = (values: Iterable<number>, of: Pick<Sigmas, 'full'> = {}): readonly Sigmas[] => [
  { kind: 'SIGMAS', values: Float32Array.from(values), ...of },
];

/** Models of flows begin with noise of level 1. */
const ofFlows = { full: 1 } as const;

/** The value at a place between those of a table, by their logarithms. */
const between = (table: readonly number[], place: number): number => {
  const from = Math.min(Math.floor(place), table.length - 2);
  const [one, other] = table.slice(from, from + 2).map(Math.log);
  return Math.exp((one ?? 0) + (place - from) * ((other ?? 0) - (one ?? 0)));
};

/** As Python rounds: a half goes to the even neighbour. */
const rounded = (value: number): number => {
  const whole = Math.floor(value);
  const isHalf = value - whole === 0.5;
  return isHalf ? whole + (whole % 2) : Math.round(value);
};

/** Takes as many steps of a table as are asked for, and of them those at its end that the denoising is for. */
const ofTable = (
  table: readonly number[],
  inputs: Inputs,
  of: Pick<Sigmas, 'full'> = {},
): readonly Sigmas[] => {
  const [steps, denoise] = [read.number(inputs, 'steps'), read.number(inputs, 'denoise', 1)];
  if (denoise <= 0) return sigmasOf([], of);
  const all =
    table.length === steps + 1
      ? table
      : Array.from({ length: steps + 1 }, (_, at) => between(table, (at / steps) * (table.length - 1)));
  const total = denoise < 1 ? rounded(steps * denoise) : steps;
  return sigmasOf([...all.slice(steps - total, steps), 0], of);
};

const byTable = (
  name: string,
  module: string,
  tables: Readonly<Record<string, readonly number[]>>,
  steps: InputSpec,
  of?: Pick<Sigmas, 'full'>,
): NodeClass =>
  nodeOf(
    {
      ...{ ...description, name, pythonModule: `comfy_extras.${module}` },
      required: { model_type: oneOf(...Object.keys(tables)), steps, denoise: share(1) },
    },
    (inputs) => ofTable(tables[read.text(inputs, 'model_type')] ?? [], inputs, of),
  );

/** The levels that "Align Your Steps" publishes for ten steps. */
const aligned = {
  SD1: [
    ...[14.6146412293, 6.4745760956, 3.8636745985, 2.694615152, 1.8841921177, 1.3943805092, 0.9642583904],
    ...[0.6523686016, 0.3977456272, 0.1515232662, 0.0291671582],
  ],
  SDXL: [
    ...[14.6146412293, 6.3184485287, 3.7681790315, 2.1811480769, 1.3405244945, 0.8620721141, 0.5550693289],
    ...[0.3798540708, 0.2332364134, 0.1114188177, 0.0291671582],
  ],
  SVD: [700, 54.5, 15.886, 7.977, 4.248, 1.789, 0.981, 0.403, 0.173, 0.034, 0.002],
};

/** The levels that "Optimal Steps" publishes. */
const optimal = {
  FLUX: [0.9968, 0.9886, 0.9819, 0.975, 0.966, 0.9471, 0.9158, 0.8287, 0.5512, 0.2808, 0.001],
  Wan: [
    ...[1, 0.997, 0.995, 0.993, 0.991, 0.989, 0.987, 0.985, 0.98, 0.975, 0.973, 0.968, 0.96, 0.946, 0.927],
    ...[0.902, 0.864, 0.776, 0.539, 0.208, 0.001],
  ],
  Chroma: [
    ...[0.992, 0.99, 0.988, 0.985, 0.982, 0.978, 0.973, 0.968, 0.961, 0.953, 0.943, 0.931, 0.917, 0.9, 0.881],
    ...[0.858, 0.832, 0.802, 0.769, 0.731, 0.69, 0.646, 0.599, 0.55, 0.501, 0.451, 0.402, 0.355, 0.311, 0.27],
    ...[0.232, 0.199, 0.169, 0.143, 0.12, 0.101, 0.084, 0.07, 0.058, 0.048, 0.001],
  ],
};

/** Up to 20 steps have a table each, more are taken between the values of the last one. */
const gits: NodeClass = nodeOf(
  {
    ...{ ...description, name: 'GITSScheduler', pythonModule: 'comfy_extras.nodes_gits' },
    required: {
      coeff: ['FLOAT', { default: 1.2, min: 0.8, max: 1.5, step: 0.05 }],
      steps: ['INT', { default: 10, min: 2, max: 1000 }],
      denoise: share(1),
    },
  },
  (inputs) => {
    const coefficient = read.number(inputs, 'coeff');
    const table = gitsLevels(coefficient, Math.min(20, read.number(inputs, 'steps')));
    if (table === undefined) throw new NodeFailure('KeyError', String(coefficient));
    return ofTable(table, inputs);
  },
);

const shift = (usual: number): InputSpec => ['FLOAT', { default: usual, min: 0, max: 100, step: 0.01 }];

/** Shifts an even schedule by how many tokens a film has, 4096 without one, and has it end at `terminal` before the zero. */
const ltxv: NodeClass = nodeOf(
  {
    ...{ ...description, name: 'LTXVScheduler', pythonModule: 'comfy_extras.nodes_lt' },
    required: {
      steps: ['INT', { default: 20, min: 1, max: 10_000 }],
      max_shift: shift(2.05),
      base_shift: shift(0.95),
      stretch: ['BOOLEAN', { tooltip: 'Has them end at the terminal value.', default: true }],
      terminal: [
        'FLOAT',
        { tooltip: 'The last value but the zero.', default: 0.1, min: 0, max: 0.99, step: 0.01 },
      ],
    },
    optional: { latent: ['LATENT', {}] },
  },
  (inputs) => {
    const steps = read.number(inputs, 'steps');
    const [max, base] = [read.number(inputs, 'max_shift'), read.number(inputs, 'base_shift')];
    const slope = (max - base) / (4096 - 1024);
    const by = Math.exp(tokensOf(inputs) * slope + base - slope * 1024);
    const shifted = Array.from({ length: steps }, (_, at) => by / (by + steps / (steps - at) - 1));
    const stretch = (1 - (shifted.at(-1) ?? 0)) / (1 - read.number(inputs, 'terminal', 0.1));
    const isStretched = read.flag(inputs, 'stretch', true) && stretch > 0;
    const levels = shifted.map((sigma) => (isStretched ? 1 - (1 - sigma) / stretch : sigma));
    return sigmasOf([...levels, 0], ofFlows);
  },
);

/** A film's model has one token for 32 pixels of each edge, and for the first frame and each eight further ones. */
const tokensOf = (inputs: Inputs): number => {
  if (inputs['latent'] === undefined) return 4096;
  const { width, height, samples } = read.latent(inputs, 'latent');
  return Math.floor(width / 32) * Math.floor(height / 32) * (Math.floor((samples.length - 1) / 8) + 1);
};

/** The engine's schedules of noise that are published as tables, and the one for films of LTXV. */
export const schedulesByTable: readonly NodeClass[] = [
  byTable('AlignYourStepsScheduler', 'nodes_align_your_steps', aligned, [
    'INT',
    { default: 10, min: 1, max: 10_000 },
  ]),
  byTable(
    ...(['OptimalStepsScheduler', 'nodes_optimalsteps', optimal] as const),
    ['INT', { default: 20, min: 3, max: 1000 }],
    ofFlows,
  ),
  gits,
  ltxv,
];

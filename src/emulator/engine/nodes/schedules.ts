import type { InputSpec, NodeClass } from '../node-class.js';
import { NodeFailure } from '../node-class.js';
import { nodeOf, oneOf } from './node-of.js';
import { type Inputs, read } from '../read.js';
import { schedulesByTable } from './schedules-by-table.js';
import type { Sigmas } from '../values.js';

const common = { style: 'new', pythonModule: 'comfy_extras.nodes_custom_sampler' } as const;
const made = {
  ...common,
  category: 'sampling/custom_sampling/schedulers',
  outputs: [{ type: 'SIGMAS' }],
} as const;
const changed = { ...common, category: 'sampling/custom_sampling/sigmas' } as const;
const steps: InputSpec = ['INT', { default: 20, min: 1, max: 10_000 }];
const float = (usual: number, min: number, max: number): InputSpec => [
  'FLOAT',
  { default: usual, min, max, step: 0.01, round: false },
];
const sigmaMax = float(14.614_642, 0, 5000);
const sigmaMin = float(0.029_167_5, 0, 5000);

const sigmasOf = (values: Iterable<number>): Sigmas => ({
  kind: 'SIGMAS',
  values: Float32Array.from(values),
});

/** So many values from 0 to 1, both of them among it. */
const ramp = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, at) => (count === 1 ? 0 : at / (count - 1)));

/** A schedule by what it is at each share of its way, with zero as its end. */
const along = (inputs: Inputs, sigmaAt: (share: number) => number): readonly Sigmas[] => [
  sigmasOf([...ramp(read.number(inputs, 'steps')).map(sigmaAt), 0]),
];

const bounds = (inputs: Inputs): readonly [max: number, min: number] => [
  read.number(inputs, 'sigma_max'),
  read.number(inputs, 'sigma_min'),
];

/** Between the logarithms of the bounds, at this share of the way down. */
const between = (inputs: Inputs, share: number): number => {
  const [max, min] = bounds(inputs).map(Math.log);
  return Math.exp((max ?? 0) + share * ((min ?? 0) - (max ?? 0)));
};

/** The engine's schedules of noise that need no model. */
const schedulers: readonly NodeClass[] = [
  nodeOf(
    {
      ...{ ...made, name: 'KarrasScheduler' },
      required: { steps, sigma_max: sigmaMax, sigma_min: sigmaMin, rho: float(7, 0, 100) },
    },
    (inputs) => {
      const rho = read.number(inputs, 'rho');
      const [max, min] = bounds(inputs).map((sigma) => sigma ** (1 / rho));
      return along(inputs, (share) => ((max ?? 0) + share * ((min ?? 0) - (max ?? 0))) ** rho);
    },
  ),
  nodeOf(
    {
      ...{ ...made, name: 'ExponentialScheduler' },
      required: { steps, sigma_max: sigmaMax, sigma_min: sigmaMin },
    },
    (inputs) => along(inputs, (share) => between(inputs, share)),
  ),
  nodeOf(
    {
      ...{ ...made, name: 'PolyexponentialScheduler' },
      required: { steps, sigma_max: sigmaMax, sigma_min: sigmaMin, rho: float(1, 0, 100) },
    },
    (inputs) => along(inputs, (share) => between(inputs, 1 - (1 - share) ** read.number(inputs, 'rho'))),
  ),
  nodeOf(
    {
      ...{ ...made, name: 'LaplaceScheduler' },
      required: {
        ...{
          steps,
          sigma_max: sigmaMax,
          sigma_min: sigmaMin,
          mu: ['FLOAT', { ...float(0, -10, 10)[1], step: 0.1 }],
        },
        beta: ['FLOAT', { ...float(0.5, 0, 10)[1], step: 0.1 }],
      },
    },
    (inputs) => {
      const [max, min] = bounds(inputs);
      const [mu, beta] = [read.number(inputs, 'mu'), read.number(inputs, 'beta')];
      // Alone of them all, it has no zero at its end.
      const sigmas = ramp(read.number(inputs, 'steps')).map((share) => {
        const off = 0.5 - share;
        const lambda = mu - beta * Math.sign(off) * Math.log(1 - 2 * Math.abs(off) + 1e-5);
        return Math.max(min, Math.min(max, Math.exp(lambda)));
      });
      return [sigmasOf(sigmas)];
    },
  ),
  nodeOf(
    {
      ...{ ...made, name: 'VPScheduler' },
      required: {
        ...{ steps, beta_d: float(19.9, 0, 5000), beta_min: float(0.1, 0, 5000) },
        eps_s: ['FLOAT', { default: 0.001, min: 0, max: 1, step: 0.0001, round: false }],
      },
    },
    (inputs) => {
      const [spread, least] = [read.number(inputs, 'beta_d'), read.number(inputs, 'beta_min')];
      const end = read.number(inputs, 'eps_s');
      return along(inputs, (share) => {
        const time = 1 + share * (end - 1);
        return Math.sqrt(Math.expm1((spread * time ** 2) / 2 + least * time));
      });
    },
  ),
];

const pair = {
  outputs: [
    { type: 'SIGMAS', name: 'high_sigmas' },
    { type: 'SIGMAS', name: 'low_sigmas' },
  ],
} as const;
const one = { outputs: [{ type: 'SIGMAS' }] } as const;

/** Both parts have the value at which they meet. */
const cutAt = (sigmas: Sigmas, at: number): readonly Sigmas[] => [
  { ...sigmas, values: sigmas.values.slice(0, at + 1) },
  { ...sigmas, values: sigmas.values.slice(at) },
];

/** How values that are added lie between two others. */
const spacings: Readonly<Record<string, (share: number) => number>> = {
  linear: (share) => share,
  cosine: (share) => Math.sin((share * Math.PI) / 2),
  sine: (share) => 1 - Math.cos((share * Math.PI) / 2),
};

/** The engine's classes that change a schedule. */
const changes: readonly NodeClass[] = [
  nodeOf(
    {
      ...{ ...changed, ...pair, name: 'SplitSigmas' },
      required: { sigmas: ['SIGMAS', {}], step: ['INT', { default: 0, min: 0, max: 10_000 }] },
    },
    (inputs) => cutAt(read.sigmas(inputs, 'sigmas'), read.number(inputs, 'step')),
  ),
  nodeOf(
    {
      ...{ ...changed, ...pair, name: 'SplitSigmasDenoise' },
      required: { sigmas: ['SIGMAS', {}], denoise: ['FLOAT', { default: 1, min: 0, max: 1, step: 0.01 }] },
    },
    (inputs) => {
      const sigmas = read.sigmas(inputs, 'sigmas');
      const count = Math.max(sigmas.values.length - 1, 0);
      const kept = Math.round(count * read.number(inputs, 'denoise'));
      return cutAt(sigmas, Math.max(0, sigmas.values.length - 1 - kept));
    },
  ),
  nodeOf({ ...changed, ...one, name: 'FlipSigmas', required: { sigmas: ['SIGMAS', {}] } }, (inputs) => {
    const sigmas = read.sigmas(inputs, 'sigmas');
    const values = sigmas.values.toReversed();
    if (values[0] === 0) values[0] = 0.0001;
    return [{ ...sigmas, values }];
  }),
  nodeOf(
    {
      ...{ ...changed, ...one, name: 'SetFirstSigma' },
      required: { sigmas: ['SIGMAS', {}], sigma: float(136, 0, 20_000) },
    },
    (inputs) => {
      const sigmas = read.sigmas(inputs, 'sigmas');
      if (sigmas.values.length === 0)
        throw new NodeFailure('IndexError', 'index 0 is out of bounds for dimension 0 with size 0');
      const values = Float32Array.of(read.number(inputs, 'sigma'), ...sigmas.values.slice(1));
      return [{ ...sigmas, values }];
    },
  ),
  nodeOf(
    {
      ...{ ...changed, ...one, name: 'ExtendIntermediateSigmas' },
      required: {
        ...{ sigmas: ['SIGMAS', {}], steps: ['INT', { default: 2, min: 1, max: 100 }] },
        ...{ start_at_sigma: float(-1, -1, 20_000), end_at_sigma: float(12, 0, 20_000) },
        spacing: oneOf(...Object.keys(spacings)),
      },
    },
    (inputs) => {
      const sigmas = read.sigmas(inputs, 'sigmas');
      const [steps, first] = [read.number(inputs, 'steps'), read.number(inputs, 'start_at_sigma')];
      const [start, end] = [first < 0 ? Infinity : first, read.number(inputs, 'end_at_sigma')];
      const spacing = spacings[read.text(inputs, 'spacing')] ?? ((share: number) => share);
      const added = Array.from({ length: steps - 1 }, (_, at) => spacing((at + 1) / steps));
      const values = Array.from(sigmas.values).flatMap((sigma, at, all) => {
        const next = all[at + 1];
        if (next === undefined || sigma < end || sigma > start) return [sigma];
        return [sigma, ...added.map((share) => sigma + share * (next - sigma))];
      });
      return [{ ...sigmas, values: Float32Array.from(values) }];
    },
  ),
];

/** The engine's classes of noise schedules that need no model. */
export const schedules: readonly NodeClass[] = [...schedulers, ...schedulesByTable, ...changes];

import { fullNoise, type Sigmas } from '../values.js';
import { nodeOf, share } from './node-of.js';
import { noiseLeft, schedulerNames } from '../sample.js';
import { read } from '../read.js';

/** Makes the levels at which `KSampler` takes its steps by the same scheduler. */
export const basicScheduler = nodeOf(
  {
    ...{
      name: 'BasicScheduler',
      pythonModule: 'comfy_extras.nodes_custom_sampler',
      category: 'sampling/custom_sampling/schedulers',
    },
    required: {
      ...{ model: ['MODEL'], scheduler: [schedulerNames] },
      ...{ steps: ['INT', { default: 20, min: 1, max: 10_000 }], denoise: share(1) },
    },
    outputs: [{ type: 'SIGMAS' }],
  },
  (inputs): readonly Sigmas[] => {
    read.part(inputs, 'model', 'MODEL');
    const [steps, denoise] = [read.number(inputs, 'steps'), read.number(inputs, 'denoise')];
    const scheduler = read.text(inputs, 'scheduler');
    const all = denoise >= 1 ? steps : Math.floor(steps / denoise);
    const left = Array.from({ length: steps + 1 }, (_, at) => noiseLeft(scheduler, (all - steps + at) / all));
    const values = denoise <= 0 ? [] : left.map((part) => fullNoise * part ** 2);
    return [{ kind: 'SIGMAS', values: Float32Array.from(values) }];
  },
);

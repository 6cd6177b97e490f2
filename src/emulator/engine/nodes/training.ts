import { define, instant } from '../define.js';
import { encodePng } from '../files/png.js';
import { fileMetadata } from './save.js';
import type { InputSpec, NodeClass } from '../node-class.js';
import { lossGraph } from '../loss-graph.js';
import { type Inputs, read, tagged } from '../read.js';
import { seededRandom } from '../random.js';

/** The value of an output of type `LOSS_MAP`: how far a training was off after each step. */
interface Losses {
  readonly kind: 'LOSS_MAP';
  readonly losses: readonly number[];
}

const oneOf = (usual: string, ...others: readonly string[]): InputSpec => [
  [usual, ...others],
  { default: usual },
];
const whole = (usual: number, max: number): InputSpec => ['INT', { default: usual, min: 1, max, step: 1 }];

const trainLoraDefinition = define({
  ...{ name: 'TrainLoraNode', title: 'Train LoRA', pythonModule: 'comfy_extras.nodes_train' },
  category: 'training',
  required: {
    ...{ model: ['MODEL'], latents: ['LATENT'], positive: ['CONDITIONING'] },
    ...{ batch_size: whole(1, 10_000), grad_accumulation_steps: whole(1, 1024) },
    steps: ['INT', { default: 16, min: 1, max: 100_000 }],
    learning_rate: ['FLOAT', { default: 0.0005, min: 1e-7, max: 1, step: 1e-6 }],
    rank: ['INT', { default: 8, min: 1, max: 128 }],
    optimizer: oneOf('AdamW', 'Adam', 'SGD', 'RMSprop'),
    loss_function: oneOf('MSE', 'L1', 'Huber', 'SmoothL1'),
    seed: ['INT', { default: 0, min: 0, max: 18_446_744_073_709_551_615n }],
    ...{ training_dtype: oneOf('bf16', 'fp32'), lora_dtype: oneOf('bf16', 'fp32') },
    algorithm: oneOf('LoRA', 'LoHa', 'LoKr', 'OFT'),
    gradient_checkpointing: ['BOOLEAN', { default: true }],
    existing_lora: oneOf('[None]'),
  },
  outputs: [
    { type: 'MODEL', name: 'model_with_lora' },
    { type: 'LORA_MODEL', name: 'lora' },
    { type: 'LOSS_MAP', name: 'loss' },
    { type: 'INT', name: 'steps' },
  ],
  flags: { experimental: true },
});

/** Takes the steps of a training, of which each is less far off than the ones before, but for chance; the model stays as it is. */
const trainLora: NodeClass = {
  definition: () => trainLoraDefinition,
  execute: async (inputs, context) => {
    const model = read.part(inputs, 'model', 'MODEL');
    const { samples } = read.latent(inputs, 'latents');
    const { text } = read.conditioning(inputs, 'positive');
    const steps = read.number(inputs, 'steps');
    const losses = lossesOf(inputs, `${text} ${samples.length}`, steps);
    for (let step = 1; step <= steps; step += 1) await context.step(step, steps);
    const lora = { kind: 'LORA_MODEL', checkpoint: model.checkpoint };
    return { values: [model, lora, { kind: 'LOSS_MAP', losses } satisfies Losses, steps] };
  },
};

const lossesOf = (inputs: Inputs, name: string, steps: number): readonly number[] => {
  const random = seededRandom(read.seed(inputs, 'seed'), name);
  const pace = 1 + read.number(inputs, 'learning_rate') * 1000;
  return Array.from(
    { length: steps },
    (_, step) => 0.05 + 0.2 * Math.exp((-pace * step) / steps) * (0.8 + random() * 0.4),
  );
};

const lossGraphDefinition = define({
  ...{ name: 'LossGraphNode', title: 'Plot Loss Graph', pythonModule: 'comfy_extras.nodes_train' },
  description: 'Draws the losses of a training as a curve.',
  category: 'training',
  required: {
    loss: ['LOSS_MAP', { default: {} }],
    filename_prefix: ['STRING', { default: 'loss_graph' }],
  },
  hidden: { prompt: 'PROMPT', extra_pnginfo: 'EXTRA_PNGINFO' },
  outputNode: true,
  flags: { experimental: true },
});

/** Draws the losses of a training into a temporary picture. */
const lossGraphNode: NodeClass = {
  definition: () => lossGraphDefinition,
  execute: instant((inputs, context) => {
    const { losses } = tagged<Losses>(inputs, 'loss', 'LOSS_MAP');
    const file = context.save({
      bytes: encodePng(lossGraph(losses), { text: fileMetadata(context) }),
      extension: 'png',
      prefix: read.text(inputs, 'filename_prefix'),
      type: 'temp',
    });
    return { values: [], ui: { images: [file] } };
  }),
};

/** The engine's classes that train, and show how it went. */
export const training: readonly NodeClass[] = [trainLora, lossGraphNode];
